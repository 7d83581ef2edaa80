// The people of a clinic's day, a process of its own: does what is due, arrivals and what follows from them, and
// measures each request by its step. Any answer that is not the correct one ends the day.
import { setTimeout as sleep } from 'node:timers/promises'
import { seededNumbers } from '../../test/process/launch-load.ts'
import { type Connection, openConnection, requestText } from './connection.ts'
import { countVerified } from './id-tokens.ts'
import { answerJobs, type DayJob, type DayStep, type PlayedPart } from './jobs.ts'
import { percentilesOf } from './percentiles.ts'
import { type Task, Visits } from './visits.ts'

const MAX_CONNECTIONS = 64
const TICK_MS = 4
const IN_TIME_MS = 2000
/** The rate of kept answers: one of so many answers of the token endpoint is verified. */
const KEEP_EVERY = 50

/** The beginning of a request of each step. */
const STEPS: readonly (readonly [string, DayStep])[] = [
  ['POST /auth/sign-in ', 'sign-in'],
  ['POST /api/sessions ', 'launch'],
  ['GET /app-auth/authorize?', 'authorize'],
  ['POST /app-auth/token ', 'token'],
  ['POST /app-auth/introspect ', 'introspection'],
]

interface Due {
  readonly at: number
  readonly task: Task
}

let port = 0
let visits: Visits | undefined
/** The visits in the order of their times. */
const waiting: Due[] = []
const kept: string[] = []
let exchanges = 0

answerJobs<DayJob, PlayedPart | undefined>(async (job) => {
  if (job.kind === 'connect') {
    port = job.port
    visits = new Visits({
      ...{ port, people: job.people, times: job.times, random: seededNumbers(job.seed), schedule },
      onExchange(answer) {
        if (exchanges++ % KEEP_EVERY === 0) kept.push(answer)
      },
    })
    return undefined
  }
  if (!visits) throw new Error('the people of the day are not connected')
  const began = performance.now()
  if (job.kind === 'play') {
    const end = began + job.milliseconds
    return play(visits, job.arrivals, () => performance.now() < end)
  }
  const all = visits
  schedule(began, (on) => all.closeAll(on))
  return play(all, [], () => all.openPages() > 0)
})

const isDue = () => waiting[0] !== undefined && waiting[0].at <= performance.now()

function schedule(at: number, task: Task): void {
  let place = waiting.length
  while (place > 0 && (waiting[place - 1]?.at ?? 0) > at) place -= 1
  waiting.splice(place, 0, { at, task })
}

async function play(
  visits: Visits,
  arrivals: readonly number[],
  hasMore: () => boolean,
): Promise<PlayedPart> {
  const times = newTimes()
  const began = performance.now()
  let inTime = 0
  for (const ms of arrivals) {
    schedule(began + ms, async (on) => {
      await visits.arrive(on)
      if (performance.now() - began - ms < IN_TIME_MS) inTime += 1
    })
  }
  const idle: Connection[] = []
  const running = new Set<Promise<unknown>>()
  const failures: unknown[] = []
  const run = async (task: Task) => {
    const kept = idle.pop()
    // The service closes a connection that was idle for a minute.
    const on = kept?.isOpen ? kept : await openConnection(port)
    await task(timeRequests(on, times))
    idle.push(on)
  }
  while (failures.length === 0 && (hasMore() || isDue())) {
    while (running.size < MAX_CONNECTIONS && isDue()) {
      const due = waiting.shift()
      if (!due) break
      const done = run(due.task)
        .catch((error) => failures.push(error))
        .finally(() => running.delete(done))
      running.add(done)
    }
    await sleep(TICK_MS)
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  for (const connection of idle) connection.close()
  await verifyKept()
  const measured = Object.entries(times).filter(([, all]) => all.length > 0)
  const steps = measured.map(([step, all]) => [step, percentilesOf(all)])
  const openPages = visits.openPages()
  return { inTime, steps: Object.fromEntries(steps), openPages, counts: visits.counts }
}

const newTimes = (): Record<DayStep, number[]> => ({
  ...{ 'sign-in': [], launch: [], authorize: [], token: [], introspection: [] },
})

/** The connection, which notes how long each request took by its step. */
function timeRequests(on: Connection, times: Record<DayStep, number[]>): Connection {
  return {
    ...on,
    async ask(request) {
      const began = performance.now()
      const answer = await on.ask(request)
      const [, step] = STEPS.find(([start]) => request.startsWith(start)) ?? []
      if (step) times[step].push(performance.now() - began)
      return answer
    },
  }
}

async function verifyKept(): Promise<void> {
  const connection = await openConnection(port)
  const keys = await connection.ask(requestText('GET', '/app-auth/.well-known/jwks.json'))
  connection.close()
  await countVerified(keys.body, kept.splice(0))
}
