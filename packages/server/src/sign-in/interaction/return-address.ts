// Where a sign-in for the console leads afterwards: an address of the console on this origin, and
// nothing else, so that a link to the sign-in page never leads to another site. Pure. Security U06.

const HOME = '/console'
const MAX_LENGTH = 512

/** The path, query and fragment; the home of the console for anything else. */
export function parseReturnAddress(value: string | undefined): string {
  if (value === undefined || value.length > MAX_LENGTH || !/^\/console([/?#]|$)/.test(value)) {
    return HOME
  }
  // Browsers drop control characters and read a backslash as a slash.
  if (/[^\x21-\x7e]|\\/.test(value)) return HOME
  const url = new URL(value, 'https://own.invalid')
  const isConsole = url.pathname === HOME || url.pathname.startsWith(`${HOME}/`)
  return url.host === 'own.invalid' && isConsole ? url.pathname + url.search + url.hash : HOME
}
