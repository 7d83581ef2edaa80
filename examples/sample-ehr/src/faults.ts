// The named faults of the sandbox: what each does and what to look for. The page offers them; those
// of kind `exchange` are played by wire.ts between an app and the token endpoint, those of kind
// `page` by the page itself. Plain data, read by server and browser alike.

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
    expect: 'Every launch ends at once, its token dies, and the app is told within a second.',
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
    expect: 'The token endpoint answers invalid_client, and the code is spent all the same.',
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
    expect: 'The app gives up after ten seconds and says so. It never tries the code again.',
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
