// In what a redirect URI differs from the registered one that is most like it, in words: most are wrong in one
// part only, and two long addresses look alike. Pure. Never decides: the comparison is that of exact strings.

type Explained = { readonly cause: string; readonly fix: string }

const EXACT = 'Send a registered one, character for character, or register this one as well.'

/** The parts stand in the order in which people look at an address. */
const PARTS: readonly [
  part: 'protocol' | 'hostname' | 'port' | 'pathname' | 'search' | 'hash',
  name: string,
  fix: string,
][] = [
  [
    'protocol',
    'scheme (http or https)',
    'Behind a proxy with TLS, give the app its public https address.',
  ],
  ['hostname', 'host', 'localhost, 127.0.0.1 and a name are different hosts.'],
  ['port', 'port', ''],
  ['pathname', 'path', ''],
  ['search', 'query', ''],
  ['hash', 'fragment', ''],
]

/** Returns undefined when no registered address is like it. */
export function explainRedirectUri(
  registered: readonly string[],
  sent: string,
): Explained | undefined {
  if (registered.includes(decoded(sent))) {
    return {
      cause: 'redirect_uri is encoded twice.',
      fix: 'Encode it once; URLSearchParams and most libraries do it automatically.',
    }
  }
  if (registered.includes(sent.trim())) {
    return { cause: 'redirect_uri begins or ends with a space or a line break.', fix: EXACT }
  }
  if (registered.some((uri) => isSameButSlash(uri, sent))) {
    return { cause: 'redirect_uri differs from a registered one in its final slash.', fix: EXACT }
  }
  const found = registered
    .map((uri) => differingParts(uri, sent))
    .find(({ length }) => length === 1)
  const [part] = found ?? []
  if (!part) return undefined
  const [, name, fix] = part
  return {
    cause: `redirect_uri differs from a registered one in its ${name} only.`,
    fix: fix ? `${EXACT} ${fix}` : EXACT,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isSameButSlash = (one: string, other: string) => one === `${other}/` || `${one}/` === other

function differingParts(registered: string, sent: string) {
  if (!URL.canParse(registered) || !URL.canParse(sent)) return []
  const [one, other] = [new URL(registered), new URL(sent)]
  return PARTS.filter(([part]) => one[part] !== other[part])
}
