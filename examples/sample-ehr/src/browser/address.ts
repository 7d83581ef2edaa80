// The state of the sandbox in the address, so that a link shows the same state to another person:
// who signs in, whether the panel is open, which fault is on. Never a password or a token. The path
// is the EHR kind.

export interface AddressState {
  readonly practice: string | null
  readonly provider: string | null
  readonly fault: string | null
  readonly panel: 'open' | 'closed'
}

export function readAddress(search: string): AddressState {
  const query = new URLSearchParams(search)
  return {
    practice: query.get('practice'),
    provider: query.get('provider'),
    fault: query.get('fault'),
    panel: query.get('panel') === 'closed' ? 'closed' : 'open',
  }
}

/** The query for `state`, without default values. */
export function buildQuery(state: AddressState): string {
  const query = new URLSearchParams()
  if (state.practice) query.set('practice', state.practice)
  if (state.provider) query.set('provider', state.provider)
  if (state.fault) query.set('fault', state.fault)
  if (state.panel === 'closed') query.set('panel', 'closed')
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
