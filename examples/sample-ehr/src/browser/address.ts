// The state of the sandbox in the address, so that a link shows the same state to another person:
// who signs in, which chart is open, whether the panel is, which fault is on. Never a password or a token. The path
// is the EHR kind.

export interface AddressState {
  readonly practice: string | null
  readonly provider: string | null
  readonly fault: string | null
  /** The path of the EHR in its frame; null: the first chart of the day. */
  readonly chart: string | null
  readonly panel: 'open' | 'closed'
}

export function readAddress(search: string): AddressState {
  const query = new URLSearchParams(search)
  return {
    practice: query.get('practice'),
    provider: query.get('provider'),
    fault: query.get('fault'),
    chart: query.get('chart'),
    panel: query.get('panel') === 'closed' ? 'closed' : 'open',
  }
}

/** The query for `state`, without default values. */
export function buildQuery(state: AddressState): string {
  const query = new URLSearchParams()
  if (state.practice) query.set('practice', state.practice)
  if (state.provider) query.set('provider', state.provider)
  if (state.fault) query.set('fault', state.fault)
  if (state.chart) query.set('chart', state.chart)
  if (state.panel === 'closed') query.set('panel', 'closed')
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
