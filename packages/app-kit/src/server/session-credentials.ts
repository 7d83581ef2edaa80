// The credentials of one session. Each refresh credential gives the next one and its bearer, always
// the same ones, so that a renewal that is asked twice is one renewal; nobody can work the next one
// out without the session's key, which never leaves the server. Spec §5.6; RFC 9700 4.14.

export interface Credentials {
  /** 43 characters. */
  readonly bearer: string
  /** Family (22 characters, the same for the whole session), then 43 of its own. */
  readonly refresh: string
}

export const mintCredentials = (): Credentials => ({
  bearer: mintSecret(32),
  refresh: mintSecret(16) + mintSecret(32),
})

/** What comes after a refresh credential. */
export async function deriveCredentials(refresh: string, key: string): Promise<Credentials> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const hmac = await crypto.subtle.importKey('raw', encode(key), algorithm, false, ['sign'])
  const derive = async (what: string) =>
    encodeBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', hmac, encode(what + refresh))))
  return {
    bearer: await derive('bearer:'),
    refresh: familyOf(refresh) + (await derive('refresh:')),
  }
}

/** Only somebody who holds a refresh credential of the session, live or spent, knows its family. */
export const familyOf = (refresh: string): string => refresh.slice(0, 22)

export const mintSecret = (bytes: number): string =>
  encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)))

/** SHA-256 in base64url. */
export async function hash(value: string): Promise<string> {
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(value))))
}

const encode = (text: string) => new TextEncoder().encode(text)

const encodeBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
