// Decides which URL match patterns a collection may have: those that Chrome accepts in a content
// script, of http and https, whose host is named. A pattern of every host would open the apps of a
// practice on any site. Pure. Contract §4; grammar: developer.chrome.com, "Match patterns".

/** The parts are scheme, host with an optional port, and path. Chrome ends the host at the first slash. */
const PARTS = /^(?<scheme>[^:/]*):\/\/(?<host>[^/]*?)(?::(?<port>[^:/\]]*))?(?<path>\/.*)?$/su
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Chrome reads a host that ends in a number as an address (URL Standard, “ends in a number”). */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i
const MAX_HOST_CHARACTERS = 253

/** Says what is wrong with the pattern; undefined when it is accepted. */
export function findMatchPatternProblem(pattern: string): string | undefined {
  if (pattern === '<all_urls>') return EVERY_HOST
  const parts = PARTS.exec(pattern)?.groups
  if (!parts) return 'Must be a match pattern such as https://ehr.example/*.'
  const { scheme = '', host = '', port, path } = parts
  if (!['http', 'https', '*'].includes(scheme)) return 'The scheme must be https, http or *.'
  if (pattern.slice(0, pattern.length - (path?.length ?? 0)).includes('@')) {
    return 'A match pattern has no user name and no password.'
  }
  return (
    findHostProblem(host) ??
    findPortProblem(scheme, port) ??
    (path === undefined
      ? 'A path must follow the host: add /* for every page.'
      : findPathProblem(path))
  )
}

const EVERY_HOST =
  'The pattern matches every host. Name the host of the EHR, such as https://ehr.example/*.'

function findHostProblem(host: string): string | undefined {
  if (host === '') return 'The host is missing.'
  if (host === '*' || host === '*.') return EVERY_HOST
  const isWithSubdomains = host.startsWith('*.')
  const name = isWithSubdomains ? host.slice(2) : host
  if (name.includes('*'))
    return 'A * may stand for a whole host part only, and first: *.ehr.example.'
  if (name.startsWith('[')) return findIpv6Problem(name, isWithSubdomains)
  if (ENDS_IN_NUMBER.test(name)) {
    if (isWithSubdomains) return 'An IP address has no subdomains; leave out *.'
    const isAddress =
      IPV4.test(name) && name.split('.').every((part) => String(Number(part)) === part)
    return isAddress && URL.canParse(`http://${name}/`) ? undefined : 'The IP address is not valid.'
  }
  const labels = name.split('.')
  if (name.length > MAX_HOST_CHARACTERS || !labels.every((label) => LABEL.test(label))) {
    return 'The host may have a–z, digits, hyphens and dots; write an international name in its xn-- form.'
  }
  if (!URL.canParse(`http://${name}/`)) return 'The host is not a valid name.'
  // Every site of a top-level domain; *.localhost stays on this machine.
  return isWithSubdomains && labels.length === 1 && name.toLowerCase() !== 'localhost'
    ? `The pattern matches every host under .${name}. Name the host of the EHR.`
    : undefined
}

function findIpv6Problem(host: string, isWithSubdomains: boolean): string | undefined {
  if (isWithSubdomains) return 'An IP address has no subdomains; leave out *.'
  return host.endsWith(']') && URL.canParse(`http://${host}/`)
    ? undefined
    : 'The IP address is not valid.'
}

function findPortProblem(scheme: string, port: string | undefined): string | undefined {
  if (port === undefined || port === '*') return undefined
  // Chromium refuses the pair, although its documentation does not say so.
  if (scheme === '*') return 'A port needs a scheme: write https:// or http:// instead of *://.'
  return /^(?:0|[1-9]\d{0,4})$/.test(port) && Number(port) <= 65_535
    ? undefined
    : 'The port must be a number up to 65535, or *.'
}

function findPathProblem(path: string): string | undefined {
  if (path.includes('#')) return 'The path has a #; a browser matches addresses without a fragment.'
  return /[\s\p{Cc}]/u.test(path) ? 'The path has a space or a control character.' : undefined
}
