// The named faults of the sandbox: what each does and what to look for. fault-proxy.ts injects
// those of kind `exchange` between an app and the token endpoint; the page runs those of kind
// `page`. Plain data for server and browser.

export interface Fault {
  readonly name: string
  readonly kind: 'exchange' | 'page'
  readonly title: string
  readonly expect: string
}

export const FAULTS = [
  {
    name: 'reload-frame',
    kind: 'page',
    title: 'Reload the app frame after the code was used',
    expect:
      'The app opens the same launch again. A launch yields tokens once, so authorize refuses.',
  },
  {
    name: 'sign-out',
    kind: 'page',
    title: 'Sign out while the app is open',
    expect: 'Every launch and its token end at once, and the app is notified within a second.',
  },
  {
    name: 'chart-flips',
    kind: 'page',
    title: 'Another chart for a moment',
    expect:
      'The EHR names another chart and, within 300 ms, the first one again. The app is covered and uncovered, and keeps its work.',
  },
  {
    name: 'code-used-twice',
    kind: 'exchange',
    title: 'Exchange the code twice',
    expect: 'The second exchange is a replay: invalid_grant, and the first token is revoked.',
  },
  {
    name: 'wrong-secret',
    kind: 'exchange',
    title: 'Exchange with a wrong client secret',
    expect: 'The token endpoint answers invalid_client, and the code is used up.',
  },
  {
    name: 'service-down',
    kind: 'exchange',
    title: 'Token endpoint unavailable',
    expect: 'The app gets 503 temporarily_unavailable, never an error about its credentials.',
  },
  {
    name: 'slow-exchange',
    kind: 'exchange',
    title: 'Token endpoint slower than ten seconds',
    expect: 'The app gives up after ten seconds and shows it. It never sends the code again.',
  },
] as const satisfies readonly Fault[]

export type FaultName = (typeof FAULTS)[number]['name']
export type ExchangeFault = Extract<(typeof FAULTS)[number], { kind: 'exchange' }>['name']

export function findFault(name: string | null): (typeof FAULTS)[number] | undefined {
  return FAULTS.find((fault) => fault.name === name)
}

export function isExchangeFault(value: unknown): value is ExchangeFault {
  return FAULTS.some((fault) => fault.kind === 'exchange' && fault.name === value)
}
