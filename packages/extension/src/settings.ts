// What the extension has to know before anyone signs in: the address of the service, and for a whole
// practice its account. From managed policy, else from the first-run page, else from the build. Pure.

export interface Settings {
  /** Base URL of the service, without a slash at its end. The extension calls no other origin. */
  readonly service: string
  /** Only this account of a person who has several; null: all. */
  readonly accountId: string | null
  /** The practice's administrators set it: the person cannot change it. */
  readonly isManaged: boolean
}

/** The base URL, or what is wrong with it as a sentence. */
export function parseServiceAddress(
  input: string,
  isDevelopment: boolean,
): { readonly service: string } | { readonly problem: string } {
  const text = input.trim()
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (!url || url.hostname === '')
    return { problem: 'Enter an address such as https://chartside.example.' }
  const isLoopback = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback && isDevelopment)) {
    return { problem: 'The address must begin with https://.' }
  }
  if (url.username || url.password) return { problem: 'The address must not hold a password.' }
  if (url.search || url.hash) return { problem: 'The address must end before any ? or #.' }
  return { service: `${url.origin}${url.pathname}`.replace(/\/+$/, '') }
}

interface Sources {
  readonly managed: Readonly<Record<string, unknown>>
  readonly local: Readonly<Record<string, unknown>>
  readonly built: { readonly service: string | null; readonly isDevelopment: boolean }
}

export function chooseSettings({ managed, local, built }: Sources): Settings | null {
  for (const [source, isManaged] of [
    [managed, true],
    [local, false],
    [{ service: built.service }, false],
  ] as const) {
    if (typeof source.service !== 'string') continue
    const parsed = parseServiceAddress(source.service, built.isDevelopment)
    // A policy with a typing error must not fall back to what a person typed.
    if ('problem' in parsed) {
      if (isManaged) return null
      continue
    }
    const { accountId } = source as Readonly<Record<string, unknown>>
    const isText = typeof accountId === 'string' && accountId !== ''
    return { service: parsed.service, accountId: isText ? accountId : null, isManaged }
  }
  return null
}
