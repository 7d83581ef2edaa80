// The load generator, a process of its own: keeps a number of operations in flight against a server and
// measures each. An operation is a whole launch flow, a provider's arrival with all launches, one exchange,
// one introspection or one fetch of the keys. Any unexpected answer ends the run with an error.
import { type Connection, openConnection } from './connection.ts'
import { countVerified } from './id-tokens.ts'
import { answerJobs, type LoadJob, type LoadResult } from './jobs.ts'
import { buildServiceOperations, type Operations, type ReadyCode } from './operations.ts'
import { buildPeerOperations } from './peer-operations.ts'
import { percentilesOf } from './percentiles.ts'
import type { Target } from './target.ts'

type Operation = (connection: Connection) => Promise<void>

/** Connections of a run at a steady rate: more than a service that keeps up needs. */
const PACED_CONNECTIONS = 64
const PACE_TICK_MS = 1
/** The rate of kept answers: one of so many answers of the token endpoint is verified. */
const KEEP_EVERY = 50

let port = 0
let operations: Operations | undefined
let calls = 0
let exchanges = 0
const codes: ReadyCode[] = []
const kept: string[] = []

answerJobs<LoadJob, LoadResult | undefined>(async (job) => {
  if (job.kind === 'connect') {
    await connectTo(job.target)
    return undefined
  }
  if (!operations) throw new Error('the load generator is not connected')
  const { code, arrive, introspect, keys } = operations
  const exchange = async (connection: Connection, ready: ReadyCode | undefined) => {
    if (!ready) throw new Error('no code is left')
    const answer = (await operations?.exchange(connection, ready)) ?? ''
    if (exchanges++ % KEEP_EVERY === 0) kept.push(answer)
    return answer
  }
  switch (job.kind) {
    case 'prepare': {
      codes.length = 0
      const prepare: Operation = async (connection) => {
        codes.push(await code(connection, calls++))
      }
      await runCount(prepare, job.inFlight, job.count)
      return undefined
    }
    case 'token': {
      const exchangePrepared: Operation = async (connection) =>
        void (await exchange(connection, codes.pop()))
      return job.perSecond
        ? runPaced(exchangePrepared, codes.length, job.perSecond)
        : runCount(exchangePrepared, job.inFlight, codes.length)
    }
    case 'flow': {
      const flow: Operation = async (connection) =>
        void (await exchange(connection, await code(connection, calls++)))
      return runFor(flow, job.inFlight, job.milliseconds)
    }
    case 'arrival': {
      const arrival: Operation = async (connection) => {
        for (const ready of (await arrive?.(connection, calls++)) ?? []) {
          await exchange(connection, ready)
        }
      }
      return runFor(arrival, job.inFlight, job.milliseconds)
    }
    case 'introspect':
      return runFor(async (on) => introspect?.(on, calls++), job.inFlight, job.milliseconds)
    case 'jwks':
      return runFor(async (on) => void (await keys(on)), job.inFlight, job.milliseconds)
    case 'verify': {
      const connection = await openConnection(port)
      const count = await countVerified(await keys(connection), kept)
      connection.close()
      kept.length = 0
      return { count, perSecond: 0, p50Ms: 0, p99Ms: 0, generatorShare: 0 }
    }
  }
})

async function connectTo(target: Target): Promise<void> {
  port = target.port
  const connection = await openConnection(port)
  operations =
    target.kind === 'service'
      ? await buildServiceOperations(target, connection)
      : buildPeerOperations(target)
  connection.close()
}

function runFor(operation: Operation, inFlight: number, milliseconds: number): Promise<LoadResult> {
  const end = performance.now() + milliseconds
  return run(operation, inFlight, () => performance.now() < end)
}

function runCount(operation: Operation, inFlight: number, count: number): Promise<LoadResult> {
  let left = count
  return run(operation, inFlight, () => left-- > 0)
}

async function run(
  operation: Operation,
  inFlight: number,
  hasMore: () => boolean,
): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => openConnection(port)),
  )
  const latencies: number[] = []
  const finish = startStopwatch()
  await Promise.all(
    connections.map(async (connection) => {
      while (hasMore()) {
        const began = performance.now()
        await operation(connection)
        latencies.push(performance.now() - began)
      }
    }),
  )
  const result = finish(latencies)
  for (const connection of connections) connection.close()
  return result
}

/** Operations start when they are due, whether or not earlier ones have ended. */
async function runPaced(
  operation: Operation,
  count: number,
  perSecond: number,
): Promise<LoadResult> {
  const idle = await Promise.all(
    Array.from({ length: PACED_CONNECTIONS }, () => openConnection(port)),
  )
  const connections = [...idle]
  const latencies: number[] = []
  const due: number[] = []
  const done = Promise.withResolvers<void>()
  const finish = startStopwatch()
  const began = performance.now()
  let started = 0
  const dispatch = () => {
    while (due.length > 0) {
      const connection = idle.pop()
      if (!connection) return
      const dueAt = due.shift() ?? 0
      operation(connection).then(() => {
        latencies.push(performance.now() - dueAt)
        idle.push(connection)
        if (latencies.length === count) done.resolve()
        else dispatch()
      }, done.reject)
    }
  }
  const ticking = setInterval(() => {
    const elapsed = performance.now() - began
    for (; started < count && started < (elapsed / 1000) * perSecond; started++) {
      due.push(began + (started / perSecond) * 1000)
    }
    dispatch()
  }, PACE_TICK_MS)
  await done.promise.finally(() => clearInterval(ticking))
  const result = finish(latencies)
  for (const connection of connections) connection.close()
  return result
}

function startStopwatch(): (latencies: number[]) => LoadResult {
  const began = performance.now()
  const cpu = process.cpuUsage()
  return (latencies) => {
    const seconds = (performance.now() - began) / 1000
    const { user, system } = process.cpuUsage(cpu)
    return {
      count: latencies.length,
      perSecond: latencies.length / seconds,
      ...percentilesOf(latencies),
      generatorShare: (user + system) / 1e6 / seconds,
    }
  }
}
