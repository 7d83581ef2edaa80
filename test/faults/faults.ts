// The faults that are injected into a service of its own process, each with its figures and what must
// hold: an event loop that stalls, file descriptors that run out, ten times the load, slow clients,
// bodies cut off and connections reset.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, type ServiceProcess, startService } from '../process/service-process.ts'
import { type Practice, setUpPractice } from '../process/story-verbs.ts'
import { bytesOf, ONE_CONNECTION, startAttack } from './attacker.ts'
import { callAnew, countInternalErrors, openConnections, runLoad, type Times } from './load.ts'
import { boundOf, memoryOf, type Phases, watchMemory } from './measure.ts'

export interface FaultResult {
  readonly name: string
  /** What must hold, in words. */
  readonly bound: string
  readonly figures: Readonly<Record<string, number>>
  readonly isMet: boolean
  readonly injected: number
  readonly internalErrors: number
}

export interface Fault {
  readonly name: string
  inject(phases: Phases): Promise<FaultResult>
}

const ENVIRONMENT = { CHARTSIDE_TRUSTED_PROXIES: 'loopback', CHARTSIDE_LOG_LEVEL: 'warn' }

export async function withService<T>(
  options: Parameters<typeof startService>[0],
  work: (service: ServiceProcess, practice: Practice) => Promise<T>,
): Promise<T> {
  const service = await startService({ environment: ENVIRONMENT, ...options })
  try {
    return await work(service, await setUpPractice(service.baseUrl, ADMIN))
  } finally {
    await service.discard()
  }
}

const sumOf = (...times: readonly Times[]) =>
  times.reduce((sum, one) => sum + countInternalErrors(one), 0)

const STALL_MS = 1000

/** The process gets no processor for a second, as in a pause of its machine. */
const stall: Fault = {
  name: 'event loop stalled for a second',
  inject: ({ quietSeconds, perSecond }) =>
    withService({}, async ({ pid }, practice) => {
      const quiet = await runLoad(practice, { seconds: quietSeconds, perSecond })
      const running = runLoad(practice, { seconds: quietSeconds + 1, perSecond })
      await sleep(500)
      process.kill(pid, 'SIGSTOP')
      await sleep(STALL_MS)
      process.kill(pid, 'SIGCONT')
      const during = await running
      const after = await runLoad(practice, { seconds: quietSeconds, perSecond })
      const cut = during.statuses.cut ?? 0
      return {
        name: stall.name,
        bound: 'no request lost; the longest waits for the stall plus 500 ms; then as before',
        figures: { quietP99: quiet.p99, longest: during.max, cut, afterP99: after.p99 },
        isMet: cut === 0 && during.max < STALL_MS + 500 && after.p99 <= boundOf(quiet.p99),
        ...{ injected: 1, internalErrors: sumOf(quiet, during, after) },
      }
    }),
}

const MAX_FILES = 128
const IDLE = 400

/** A limit of 128 open files, and 400 connections that say nothing. */
const descriptors: Fault = {
  name: 'file descriptors exhausted',
  inject: ({ quietSeconds, perSecond }) =>
    withService(
      { prefix: ['sh', '-c', `ulimit -n ${MAX_FILES}; exec "$@"`, 'sh'] },
      async (service, practice) => {
        const quiet = await runLoad(practice, { seconds: quietSeconds, perSecond })
        const running = runLoad(practice, { seconds: quietSeconds + 2, perSecond })
        await sleep(300)
        const idle = await openIdle(service.port, IDLE)
        await sleep(quietSeconds * 1000)
        const held = idle.filter((socket) => !socket.destroyed).length
        for (const socket of idle) socket.destroy()
        const during = await running
        await sleep(500)
        const after = await runLoad(practice, { seconds: quietSeconds, perSecond })
        const lostAfter = after.count - (after.statuses[200] ?? 0)
        return {
          name: descriptors.name,
          bound:
            'the process lives; kept connections are served; all are again once files are free',
          figures: {
            quietP99: quiet.p99,
            ...{ idle: IDLE, heldAtOnce: held, served: during.statuses[200] ?? 0 },
            ...{ cut: during.statuses.cut ?? 0, lostAfter, afterP99: after.p99 },
          },
          isMet:
            lostAfter === 0 && (during.statuses[200] ?? 0) > 0 && after.p99 <= boundOf(quiet.p99),
          ...{ injected: IDLE, internalErrors: sumOf(quiet, during, after) },
        }
      },
    ),
}

async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1' }).on('error', () => {}),
  )
  await Promise.all(
    sockets.map((socket) =>
      Promise.race([once(socket, 'connect'), once(socket, 'close'), sleep(1000)]).catch(() => {}),
    ),
  )
  return sockets
}

/** Connections of a service that is fully used; and how many times as many requests an overload has, each second. */
const NORMAL_DEPTH = 32
const OVERLOAD = 10
/** Each runs one request at a time: so many that what is due can wait in the service. */
const OVERLOAD_CONNECTIONS = 1000

const overload: Fault = {
  name: 'ten times the load',
  inject: ({ quietSeconds, attackSeconds }) =>
    withService({}, async (service, practice) => {
      const path = `/api/sessions/${practice.sessionId}`
      const headers = { authorization: `Bearer ${practice.sessionToken}` }
      const requests = [bytesOf('GET', path, { headers })]
      const run = (connections: number, seconds: number, perSecond?: number) =>
        startAttack({
          ...{ ...ONE_CONNECTION, requests, connections, seconds, port: service.port },
          ...(perSecond === undefined ? {} : { perSecond }),
        }).ended
      const normal = run(NORMAL_DEPTH - 1, quietSeconds)
      await sleep(300)
      const usual = await runLoad(practice, { seconds: quietSeconds - 0.5, perSecond: 30 })
      const served = (await normal)[200] ?? 0
      const flood = run(OVERLOAD_CONNECTIONS, attackSeconds, (served / quietSeconds) * OVERLOAD)
      await sleep(500)
      const during = await runLoad(practice, { seconds: attackSeconds - 1, perSecond: 30 })
      const counts = await flood
      await sleep(5000)
      const after = await runLoad(practice, { seconds: quietSeconds, perSecond: 30 })
      const normalPerSecond = Math.round(served / quietSeconds)
      const answeredPerSecond = Math.round((counts[200] ?? 0) / attackSeconds)
      const internalErrors = sumOf(usual, during, after) + (counts[500] ?? 0)
      return {
        name: overload.name,
        bound: 'a quarter of the normal rate is answered, with no internal error; then as before',
        figures: {
          normalP99: usual.p99,
          normalPerSecond,
          duringP99: during.p99,
          answeredPerSecond,
          sentPerSecond: Math.round((counts.sent ?? 0) / attackSeconds),
          refused: counts[503] ?? 0,
          afterP99: after.p99,
        },
        isMet:
          answeredPerSecond * 4 >= normalPerSecond &&
          internalErrors === 0 &&
          after.p99 <= boundOf(usual.p99),
        ...{ injected: counts.sent ?? 0, internalErrors },
      }
    }),
}

const SLOW = 100

/** Headers and bodies byte by byte, and answers that are not read, all at once. */
const slowClients: Fault = {
  name: 'slow clients',
  inject: ({ quietSeconds, perSecond }) =>
    withService({}, async (service, practice) => {
      const quiet = await runLoad(practice, { seconds: quietSeconds, perSecond })
      const before = memoryOf(service)
      const memory = watchMemory(service)
      const seconds = MAX_REQUEST_SECONDS + 8
      const common = { ...ONE_CONNECTION, seconds, port: service.port, connections: SLOW }
      const slowly = { ...common, drip: { bytes: 1, everyMs: 500 } }
      // Of valid JSON, which ends with white space.
      const body = `${JSON.stringify({ email: 'x', password: 'x' })}${' '.repeat(3900)}`
      const attacks = [
        startAttack({
          ...slowly,
          requests: [bytesOf('GET', '/health', { headers: { x: 'y'.repeat(200) } })],
        }),
        startAttack({
          ...common,
          drip: { bytes: 130, everyMs: 4000 },
          requests: [bytesOf('POST', '/auth/sign-in', { body })],
        }),
        startAttack({
          ...common,
          requests: [bytesOf('GET', '/openapi.json')],
          depth: 20,
          isReading: false,
        }),
      ]
      await sleep(500)
      const during = await runLoad(practice, { seconds: seconds - 2, perSecond })
      const counts = await Promise.all(attacks.map(({ ended }) => ended))
      const highest = memory.stop()
      const after = await runLoad(practice, { seconds: quietSeconds, perSecond })
      const cut = counts.reduce((sum, one) => sum + (one['cut by the service'] ?? 0), 0)
      return {
        name: slowClients.name,
        bound: 'p99 of all others within twice its quiet value plus 10 ms; slow requests are cut',
        figures: {
          ...{ connections: SLOW * 3, quietP99: quiet.p99, duringP99: during.p99 },
          ...{ afterP99: after.p99, cut, megabytesBefore: before, megabytesHighest: highest },
        },
        isMet: during.p99 <= boundOf(Math.max(quiet.p99, after.p99)) && cut > 0,
        ...{ injected: SLOW * 3, internalErrors: sumOf(quiet, during, after) },
      }
    }),
}

/** How long the service waits for a request (surfaces/server.ts), and Node.js until it looks again. */
const MAX_REQUEST_SECONDS = 30

/** A new caller stands in the line of connections that the kernel keeps until they are accepted. */
const MAX_NEW_CALLER_MS = 500

const broken = (name: string, how: 'isTruncating' | 'isResetting'): Fault => ({
  name,
  inject: ({ quietSeconds, attackSeconds, perSecond }) =>
    withService({}, async (service, practice) => {
      const connections = await openConnections(practice)
      const others = { perSecond, connections }
      const quiet = await runLoad(practice, { seconds: quietSeconds, ...others })
      const before = memoryOf(service)
      const body = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(900) })
      const attack = startAttack({
        ...{ ...ONE_CONNECTION, connections: 8, seconds: attackSeconds, port: service.port },
        ...{ requests: [bytesOf('POST', '/auth/sign-in', { body })], [how]: true },
      })
      await sleep(200)
      const seconds = attackSeconds - 0.5
      const [during, newCallers] = await Promise.all([
        runLoad(practice, { seconds, ...others }),
        callAnew(practice, seconds),
      ])
      const counts = await attack.ended
      const after = await runLoad(practice, { seconds: quietSeconds, ...others })
      connections.destroy()
      const sent = counts.sent ?? 0
      const isPrompt = during.p99 <= boundOf(Math.max(quiet.p99, after.p99))
      return {
        name,
        bound: `p99 of all others within twice its quiet value plus 10 ms on open connections, of new ones within ${MAX_NEW_CALLER_MS} ms; nothing stays behind`,
        figures: {
          ...{ broken: sent, quietP99: quiet.p99, duringP99: during.p99, afterP99: after.p99 },
          ...{ newCallersP50: newCallers.p50, newCallersP99: newCallers.p99 },
          ...{ megabytesBefore: before, megabytesAfter: memoryOf(service) },
        },
        isMet: sent > 0 && isPrompt && newCallers.p99 <= MAX_NEW_CALLER_MS,
        ...{ injected: sent, internalErrors: sumOf(quiet, during, newCallers, after) },
      }
    }),
})

export const FAULTS: readonly Fault[] = [
  stall,
  descriptors,
  overload,
  slowClients,
  broken('bodies cut off', 'isTruncating'),
  broken('connections reset', 'isResetting'),
]
