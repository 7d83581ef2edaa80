// A run: starts the app beside the service of the run, looks at it on a good day, plays the faults one after
// another, judges what was seen, and grades. Owns the order and the end of everything that it started.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  gradeOf,
  type JudgedCheck,
  outcomeOf,
  type PlayedFault,
} from '@chartside/protocol/fault-grade'
import type { Run } from '@chartside/protocol/fault-run'
import { readSDK, servePanel } from '@chartside/test-kit/playwright'
import type { Browser } from 'playwright-core'
import { RunError } from './app-process.ts'
import { findApp } from './app-source.ts'
import { openBrowser } from './browser.ts'
import { FAULT_NAMES, FAULTS } from './catalog.ts'
import { withoutBearers } from './checks.ts'
import type { Baseline, Fault, Seen } from './fault.ts'
import { startService } from './service.ts'
import { PlayedStage, type StageParts } from './stage.ts'

const LANES = 3
const MAX_SAW = 400

export interface RunOptions {
  /** The folder with chartside.app.json, or the Launch URL of an app that runs with the settings of a run. */
  readonly app: string
  /** Names of faults; empty: all. */
  readonly only?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Ends the run between two steps of a fault. */
  readonly signal?: AbortSignal
  readonly onBegin?: (name: string) => void
  /** Runs after each fault. */
  readonly onFault?: (fault: PlayedFault) => void
}

/**
 * Plays faults against an app and grades what it does. Nothing reads or changes the app's code.
 * @throws RunError when the run could not be made: no browser, no app, an app that is not ready on a good day;
 *   ManifestError
 * @example const { grade } = await runFaults({ app: '.', env: process.env })
 */
export async function runFaults(options: RunOptions): Promise<Run> {
  const { env, onFault, onBegin, signal } = options
  const faults = chooseFaults(options.only ?? [])
  const source = await findApp(options.app, env)
  const startedAt = new Date()
  const ends: (() => unknown)[] = []
  try {
    const browser = await openBrowser(env)
    ends.push(() => browser.close())
    const panel = await servePanel(source.panelPort).catch(refusePort)
    ends.push(panel.stop)
    const service = await startService(source, await readSDK(panel.origin)).catch(refusePort)
    ends.push(() => service.issuer.stop())
    const app = await source.start(service.issuer, panel.origin)
    ends.push(() => app.stop())
    const parts = { ...source, service, panelOrigin: panel.origin }
    const baseline = await lookAt(browser, parts, source.advice)
    const results = new Map<string, PlayedFault>()
    const playOne = async (fault: Fault): Promise<void> => {
      signal?.throwIfAborted()
      onBegin?.(fault.name)
      await sleep(Math.max(0, service.keysAskedAt() + (fault.afterKeysMs ?? 0) - Date.now()))
      const result = await playFault(browser, parts, fault, baseline)
      await app.requireRunning(`during ${fault.name}`)
      results.set(fault.name, result)
      onFault?.(result)
    }
    await playInLanes(faults, playOne)
    const played = faults.flatMap(({ name }) => results.get(name) ?? [])
    return {
      app: source.name,
      startedAt: startedAt.toISOString(),
      tookMs: Date.now() - startedAt.getTime(),
      ...(await readCommit(source.directory)),
      grade: gradeOf(played),
      faults: played,
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const run = promisify(execFile)

/** Reads the commit of a folder under Git, so that a report names what was played. */
async function readCommit(cwd: string): Promise<Pick<Run, 'commit'>> {
  const asked = run('git', ['rev-parse', '--short', 'HEAD'], { cwd })
  const commit = await asked.then(({ stdout }) => stdout.trim()).catch(() => '')
  return commit === '' ? {} : { commit }
}

/** Each fault has launches of its own, so several are played at once, but for those that need to be alone. */
async function playInLanes(
  faults: readonly Fault[],
  playOne: (fault: Fault) => Promise<void>,
): Promise<void> {
  const waiting = faults.filter(({ isAlone }) => !isAlone)
  const lanes = Array.from({ length: LANES }, async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) await playOne(fault)
  })
  await Promise.all(lanes)
  for (const fault of faults.filter(({ isAlone }) => isAlone)) await playOne(fault)
}

function refusePort(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
  throw new RunError(
    `${error}. Another run may be under way; set CHARTSIDE_FAULTS_PORT, here and in the settings of the app.`,
  )
}

function chooseFaults(only: readonly string[]): readonly Fault[] {
  const unknown = only.find((name) => !FAULT_NAMES.includes(name))
  if (unknown)
    throw new RunError(`No fault is called ${unknown}. There are: ${FAULT_NAMES.join(', ')}.`)
  return only.length === 0 ? FAULTS : FAULTS.filter(({ name }) => only.includes(name))
}

/** @throws RunError: an app that does not open on a good day cannot be graded */
async function lookAt(browser: Browser, parts: StageParts, advice: string): Promise<Baseline> {
  const startedAt = Date.now()
  const { seen, userName } = await playOn(browser, parts, undefined)
  const { text, reported, tokens } = seen
  const readyAfterMs = Date.now() - startedAt
  if (tokens === 0 || reported.length > 0) {
    const why = reported[0] ? `it reported ${reported[0].code}` : 'it presented no token'
    throw new RunError(
      `The app does not open without any fault: ${why}. It shows: ${text}\n${advice}`,
    )
  }
  const hasScreen = parts.registration.launchUrl !== null
  return { isReady: true, text, showsUser: text.includes(userName), hasScreen, readyAfterMs }
}

async function playOn(
  browser: Browser,
  parts: StageParts,
  fault: Fault | undefined,
): Promise<{ seen: Seen; userName: string }> {
  const context = await browser.newContext({ viewport: { width: 420, height: 720 } })
  const stage = new PlayedStage(parts, context, fault)
  try {
    return { seen: await stage.play(), userName: stage.userName }
  } finally {
    stage.stop()
    await context.close()
  }
}

async function playFault(
  browser: Browser,
  parts: StageParts,
  fault: Fault,
  baseline: Baseline,
): Promise<PlayedFault> {
  const startedAt = Date.now()
  const { seen } = await playOn(browser, parts, fault)
  const checks = fault.checks.map((check): JudgedCheck => {
    const { name, part, title, cause, fix } = check
    const verdict = check.judge(seen, baseline)
    return { name, part, title, ...verdict, ...(verdict.state === 'failed' ? { cause, fix } : {}) }
  })
  const { name, step, title } = fault
  const saw = withoutBearers(seen.text.trim(), MAX_SAW)
  const tookMs = Date.now() - startedAt
  return { name, step, title, checks, outcome: outcomeOf(checks), wire: seen.wire, saw, tookMs }
}
