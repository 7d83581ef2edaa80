// What the extension has to know before anyone signs in: the address of the service, and for a whole
// practice its account. From managed policy, else from the build, else from the first-run page. Pure.

export interface Settings {
  /** The base URL of the service, without a slash at its end. The extension calls no other origin. */
  readonly service: string
  /** The only account that is used, for a person who has several; null: all. */
  readonly accountId: string | null
  /** The practice's administrators set it: the person cannot change it. */
  readonly isManaged: boolean
  /** Another service, which was typed since and which the person has not confirmed in the panel. */
  readonly proposed?: string
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

type Values = Readonly<Record<string, unknown>>

export interface Sources {
  readonly managed: Values
  /** The settings that were typed, and the address that was confirmed last. */
  readonly local: { readonly settings?: Values; readonly confirmedService?: unknown }
  readonly built: { readonly service: string | null; readonly isDevelopment: boolean }
}

export function chooseSettings({ managed, local, built }: Sources): Settings | null {
  const parse = (address: unknown): string | null => {
    if (typeof address !== 'string') return null
    const parsed = parseServiceAddress(address, built.isDevelopment)
    return 'service' in parsed ? parsed.service : null
  }
  if (typeof managed.service === 'string') {
    const service = parse(managed.service)
    const { accountId } = managed
    const isText = typeof accountId === 'string' && accountId !== ''
    // A policy with a typing error must not fall back to what a person typed.
    return service === null
      ? null
      : { service, accountId: isText ? accountId : null, isManaged: true }
  }
  const fixed = parse(built.service)
  const typed = parse(local.settings?.service)
  const confirmed = parse(local.confirmedService) ?? typed
  const service = fixed ?? confirmed
  if (service === null) return null
  const isProposal = fixed === null && typed !== null && typed !== service
  const settings = { service, accountId: null, isManaged: false }
  return isProposal ? { ...settings, proposed: typed } : settings
}
