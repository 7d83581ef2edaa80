// The chart and the page of it that an address of a sample EHR names, for the two that route in the page.
// Pure; ehr-routes.ts shows what it finds.

export interface EhrRoute {
  /** The chart; null is the schedule. */
  readonly chart: string | null
  readonly page: 'summary' | 'results'
}

export function readRoute(
  routing: string,
  path: string,
  { pathname, hash }: Readonly<Record<'pathname' | 'hash', string>>,
): EhrRoute {
  const rest = routing === 'hash' ? hash.replace(/^#\/p/, '') : pathname.slice(path.length)
  const [, chart = '', page] = rest.split('/')
  return { chart: chart === '' ? null : chart, page: page === 'results' ? 'results' : 'summary' }
}
