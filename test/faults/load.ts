// All other callers: a steady, open load of what a practice does all day, over kept connections, and how
// long each answer takes. Requests begin on time whether or not earlier ones have been answered, so a
// pause of the service shows in every request that it delays.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Practice } from '../process/story-verbs.ts'

export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Answers by status; `cut` without one. */
  readonly statuses: Readonly<Record<string, number>>
}

export interface LoadOptions {
  readonly seconds: number
  readonly perSecond: number
  /** Ends it early. */
  readonly signal?: AbortSignal
  /** Connections that are open already, such as those of a balancer; without them it opens its own. */
  readonly connections?: Agent
}

interface Sample {
  readonly status: string
  readonly ms: number
}

const EVERY_MS = 10
const CONNECTIONS = 64

/** Another network than that of an attacker. */
const NETWORK = { 'x-forwarded-for': '10.20.30.40' }

export async function runLoad(practice: Practice, options: LoadOptions): Promise<Times> {
  const agent = options.connections ?? new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const samples: Sample[] = []
  const pending: Promise<void>[] = []
  const paths = [
    '/api/users/me',
    `/api/sessions/${practice.sessionId}`,
    '/app-auth/.well-known/jwks.json',
  ]
  const began = performance.now()
  let started = 0
  while (performance.now() - began < options.seconds * 1000 && !options.signal?.aborted) {
    const due = Math.floor(((performance.now() - began) / 1000) * options.perSecond)
    for (; started < due; started += 1) {
      const path = paths[started % paths.length] ?? '/health'
      const beganAt = performance.now()
      pending.push(
        ask(agent, practice, path).then((status) => {
          samples.push({ status, ms: performance.now() - beganAt })
        }),
      )
    }
    await sleep(EVERY_MS)
  }
  await Promise.all(pending)
  if (!options.connections) agent.destroy()
  return summarize(samples)
}

/** Opens some connections, which wait for the requests of a load. The caller destroys them. */
export async function openConnections(practice: Practice, count = 16): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: count })
  const first = Array.from({ length: count }, () => ask(agent, practice, '/health/live'))
  await Promise.all(first)
  return agent
}

/** One request after another, each on a connection of its own: how long a new caller waits. */
export async function callAnew(practice: Practice, seconds: number): Promise<Times> {
  const samples: Sample[] = []
  const endsAt = performance.now() + seconds * 1000
  while (performance.now() < endsAt) {
    const beganAt = performance.now()
    const status = await ask(false, practice, '/health/live')
    samples.push({ status, ms: performance.now() - beganAt })
    await sleep(EVERY_MS * 5)
  }
  return summarize(samples)
}

function ask(
  agent: Agent | false,
  { baseUrl, sessionToken }: Practice,
  path: string,
): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${sessionToken}`, ...NETWORK }
    const sent = request(new URL(path, baseUrl), { agent, headers, timeout: 30_000 }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
      answer.on('error', () => resolve('cut'))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve('cut'))
    sent.end()
  })
}

export function summarize(samples: readonly Sample[]): Times {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (part: number) => round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)
  const statuses: Record<string, number> = {}
  for (const { status } of samples) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    ...{ count: samples.length, p50: at(0.5), p99: at(0.99), max: round(sorted.at(-1) ?? 0) },
    statuses,
  }
}

export const round = (ms: number): number => Math.round(ms * 10) / 10

/** 5xx other than the intended 503. */
export const countInternalErrors = ({ statuses }: Pick<Times, 'statuses'>): number =>
  Object.entries(statuses)
    .filter(([status]) => status.startsWith('5') && status !== '503')
    .reduce((sum, [, count]) => sum + count, 0)
