// When this node answered authorize and exchange of its recent launches. An answer is ready only after
// its own write, so the next write of the launch stores the time: no statement more. Another
// node that makes that write does not know it and leaves the time at which the write began. Contract §3.

import { lruMap } from '../kernel/lru-map.ts'

type Answered = 'authorize' | 'exchange'

/** Recent launches are kept; a launch makes its next write within minutes. */
const MAX_LAUNCHES = 10_000

export interface ResponseTimes {
  record(launchId: string, request: Answered, at: number): void
  find(launchId: string, request: Answered): number | undefined
}

export interface HasResponseTimes {
  readonly responseTimes: ResponseTimes
}

export function responseTimes(): ResponseTimes {
  const known = lruMap<Partial<Record<Answered, number>>>(MAX_LAUNCHES)
  return {
    record(launchId, request, at) {
      const times = known.get(launchId)
      if (times) times[request] = at
      else known.set(launchId, { [request]: at })
    },
    find: (launchId, request) => known.get(launchId)?.[request],
  }
}
