// Runs cases against routes of the table: a service for all of them, the seed of each route derived from
// one seed, so that a failure of any run can be repeated alone. A failure carries the shrunk case.
import fc from 'fast-check'
import type { Route } from '../../packages/server/src/route.ts'
import { ROUTES } from '../../packages/server/src/routes.ts'
import { checkCase } from './answer-properties.ts'
import { type FuzzFailure, type FuzzPart, seedOf } from './fuzz-failure.ts'
import { type FuzzRequest, parametersWithoutGenerator, requestsTo } from './fuzz-request.ts'
import { hasFields } from './page-fields.ts'
import { sendCase } from './send.ts'
import { startWorld, type World } from './world.ts'

export interface RouteResult {
  readonly failures: readonly FuzzFailure[]
  readonly statuses: Readonly<Record<string, number>>
  readonly internalErrors: number
}

/** What is missing before a route can be fuzzed; nothing, or the route needs lines of its own. */
export function describeMissing(route: Route): string | undefined {
  const [parameter] = parametersWithoutGenerator(route)
  if (parameter) return `a line for :${parameter} in fuzz-request.ts`
  const isPage = route.surface === 'page'
  return isPage && !hasFields(route.operation) ? 'a row in page-fields.ts' : undefined
}

/** Cases of a route that get a service of their own. */
const LONG_SHARE = 200

export async function fuzzRoutes(options: FuzzPart): Promise<RouteResult> {
  const { seed, cases, only, onProgress } = options
  const routes = ROUTES.filter(({ operation }) => only === undefined || operation === only)
  if (routes.length === 0) throw new Error(`No route has the operation ${only}.`)
  let world = await startWorld()
  const statuses: Record<string, number> = {}
  const failures: FuzzFailure[] = []
  let internalErrors = 0
  let done = 0
  try {
    for (const [i, route] of routes.entries()) {
      const share = Math.floor(cases / routes.length) + (i < cases % routes.length ? 1 : 0)
      // A long run would fill the database with the records of other routes.
      if (i > 0 && share >= LONG_SHARE) {
        await world.close()
        world = await startWorld()
      }
      const seen = { count: (status: number) => add(statuses, String(status)) }
      const failure = await fuzzRoute(world, route, seedOf(seed, route.operation), share, seen)
      if (failure) failures.push(failure)
      done += share
      onProgress?.(route.operation, done)
    }
    const { statusCode } = await world.node.server.inject('/health/ready')
    if (statusCode !== 200) throw new Error(`the service is not ready afterwards: ${statusCode}`)
    internalErrors = Object.entries(statuses)
      .filter(([status]) => status.startsWith('5') && status !== '503')
      .reduce((sum, [, count]) => sum + count, 0)
  } finally {
    await world.close()
  }
  return { failures, statuses, internalErrors }
}

const add = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

async function fuzzRoute(
  world: World,
  route: Route,
  seed: number,
  numRuns: number,
  seen: { count(status: number): void },
): Promise<FuzzFailure | undefined> {
  world.renewBeforeNext()
  const property = fc.asyncProperty(requestsTo(route), async (request) => {
    await runCase(world, request, seen)
  })
  const details = await fc.check(property, {
    seed,
    numRuns,
  })
  if (!details.failed) return undefined
  const { counterexample, errorInstance } = details
  return {
    name: route.operation,
    reason: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    shrunk: JSON.stringify(counterexample?.[0], null, 1),
  }
}

/** Sends one case and checks what came. @throws AssertionError */
async function runCase(
  world: World,
  request: FuzzRequest,
  seen: { count(status: number): void },
): Promise<void> {
  await world.prepare(request.operation)
  world.node.clearLog()
  const began = performance.now()
  const answer = await sendCase(world, request)
  const milliseconds = performance.now() - began
  const log = world.node.logText()
  if (answer) seen.count(answer.status)
  // A connection that was cut leaves no answer, and what was asked for may be done all the same.
  const isChange = request.method !== 'GET' && (answer === undefined || answer.status < 400)
  if (isChange) world.renewBeforeNext()
  checkCase(world, request, { answer, log, milliseconds })
  if (!isChange) return
  const isByPlatform = request.headers.some(([, value]) => value.includes('platformAdmin'))
  if (isByPlatform) await world.renewForeign()
  else if (!(await world.isForeignUntouched())) {
    await world.renewForeign()
    throw new Error('the case has changed rows of the foreign tenant')
  }
}

/** The JavaScript heap in use, after a collection where the process allows one. */
export function heapMegabytes(): number {
  ;(globalThis as { gc?: () => void }).gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1024 ** 2)
}
