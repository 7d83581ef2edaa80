// When this node answered authorize and exchange of its recent launches. An answer is ready only after
// its own write, so the next write of the launch stores the time: no statement more. Another
// node that makes that write does not know it and leaves the time at which the write began. Contract §3.

type Answered = 'authorize' | 'exchange'

/** The newest launches are kept; a launch makes its next write within minutes. */
const MAX_LAUNCHES = 10_000

export interface ResponseTimes {
  record(launchId: string, request: Answered, at: number): void
  find(launchId: string, request: Answered): number | undefined
}

export interface HasResponseTimes {
  readonly responseTimes: ResponseTimes
}

export function responseTimes(): ResponseTimes {
  const known = new Map<string, Partial<Record<Answered, number>>>()
  return {
    record(launchId, request, at) {
      const before = known.get(launchId)
      // Set again, so that the oldest launch comes first.
      known.delete(launchId)
      known.set(launchId, { ...before, [request]: at })
      const oldest = known.keys().next().value
      if (known.size > MAX_LAUNCHES && oldest !== undefined) known.delete(oldest)
    },
    find: (launchId, request) => known.get(launchId)?.[request],
  }
}
