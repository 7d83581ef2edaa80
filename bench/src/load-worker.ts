// The load generator, a process of its own: keeps a number of operations in flight against the
// service and measures each. An operation is a whole launch flow (three requests), one exchange,
// one introspection or one fetch of the keys. Any unexpected answer ends the run with an error.
import { type Connection, openConnection } from './connection.ts'
import { answerJobs, type LoadJob, type LoadResult } from './jobs.ts'
import { buildOperations, type Operations } from './operations.ts'

type Operation = (connection: Connection) => Promise<void>

/** Connections of a run at a steady rate: more than a service that keeps up needs. */
const PACED_CONNECTIONS = 64
const PACE_TICK_MS = 1

let port = 0
let operations: Operations | undefined
const codes: string[] = []

answerJobs<LoadJob, LoadResult | undefined>(async (job) => {
  if (job.kind === 'connect') {
    port = job.port
    const connection = await openConnection(port)
    operations = await buildOperations(job.practice, connection)
    connection.close()
    return undefined
  }
  if (!operations) throw new Error('the load generator is not connected')
  const { code, exchange, introspect, jwks } = operations
  const exchangePrepared: Operation = (connection) => exchange(connection, codes.pop() ?? '')
  switch (job.kind) {
    case 'prepare': {
      codes.length = 0
      const prepare: Operation = async (connection) => {
        codes.push(await code(connection))
      }
      await runCount(prepare, job.inFlight, job.count)
      return undefined
    }
    case 'token':
      return job.perSecond
        ? runPaced(exchangePrepared, codes.length, job.perSecond)
        : runCount(exchangePrepared, job.inFlight, codes.length)
    case 'flow': {
      const flow: Operation = async (connection) => exchange(connection, await code(connection))
      return runFor(flow, job.inFlight, job.milliseconds)
    }
    case 'introspect':
      return runFor(introspect, job.inFlight, job.milliseconds)
    case 'jwks':
      return runFor(jwks, job.inFlight, job.milliseconds)
  }
})

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
    const now = performance.now()
    for (; started < count && started < ((now - began) / 1000) * perSecond; started++) due.push(now)
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
    const sorted = Float64Array.from(latencies).sort()
    const at = (fraction: number) => sorted[Math.floor((sorted.length - 1) * fraction)] ?? 0
    return {
      count: sorted.length,
      perSecond: sorted.length / seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      generatorShare: (user + system) / 1e6 / seconds,
    }
  }
}
