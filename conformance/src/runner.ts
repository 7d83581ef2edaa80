// Runs modules one after the other against a target and gives each its verdict. A module that meets
// an error of its own fails; one that shows that the run cannot go on ends the run.
import { authorize, describeLanding, exchange, receiveCode } from './flow.ts'
import { CannotRun, type HttpClient } from './http-client.ts'
import type { ConformanceModule, Verdict } from './module.ts'
import { ModuleContext } from './module-context.ts'
import { ModuleFailed, ModuleSkipped } from './module-end.ts'
import type { Metadata, Target } from './target.ts'
import { type Entry, Transcript } from './transcript.ts'

export interface ModuleResult {
  readonly id: string
  readonly title: string
  readonly source: string
  readonly verdict: Verdict
  /** The reason why a skipped module does not apply. */
  readonly reason?: string
  /** The expectation that failed. */
  readonly expected?: string
  /** The thing that the service did instead, after a failure or a warning. */
  readonly cause?: string
  readonly where?: string
  readonly requests: number
  readonly milliseconds: number
  readonly steps: readonly Entry[]
}

export interface RunOptions {
  readonly target: Target
  readonly metadata: Metadata
  readonly http: HttpClient
  readonly modules: readonly ConformanceModule[]
  readonly secrets: ReadonlySet<string>
  readonly codeReuseWaitSeconds: number
  readonly signal: AbortSignal
  /** Runs before each module; `onResult` runs after it. */
  readonly onStart?: (module: ConformanceModule, number: number) => void
  readonly onResult?: (result: ModuleResult) => void
}

/** A run of fewer modules shows by itself why a client is refused. */
const MIN_PROBED = 10

/** One launch as every module makes it: when the client itself is refused, that is one cause and not sixty failures. */
async function requireClient(options: RunOptions): Promise<void> {
  const t = new ModuleContext({ ...options, transcript: new Transcript(options.secrets) })
  const attempt = await authorize(t)
  const { landing } = attempt
  const code = landing.kind === 'redirect' ? landing.url.searchParams.get('code') : null
  const refused = `The client of this run is refused, so no module can say anything: `
  if (!code) {
    throw new CannotRun(`${refused}authorize gives it no code: ${describeLanding(attempt)}.`)
  }
  const answer = await exchange(t, receiveCode(t, attempt))
  if (answer.status === 200) return
  const { error = '', error_description: why = '' } = answer.json ?? {}
  const cause = `${answer.status} ${error} (${why})`
  throw new CannotRun(`${refused}the token endpoint gives it no token: ${cause}.`)
}

/** @throws CannotRun */
export async function runModules(options: RunOptions): Promise<ModuleResult[]> {
  const results: ModuleResult[] = []
  if (options.modules.length >= MIN_PROBED) await requireClient(options)
  for (const [index, module] of options.modules.entries()) {
    options.onStart?.(module, index + 1)
    const result = await runModule(module, options)
    results.push(result)
    options.onResult?.(result)
  }
  return results
}

type Outcome = Pick<ModuleResult, 'verdict' | 'reason' | 'expected' | 'cause' | 'where'>

async function runModule(module: ConformanceModule, options: RunOptions): Promise<ModuleResult> {
  const { id, title, source, where } = module
  const transcript = new Transcript(options.secrets)
  const started = performance.now()
  const outcome = await judge(module, options, transcript)
  return {
    id,
    title,
    source,
    ...outcome,
    ...(outcome.verdict === 'failed' || outcome.verdict === 'warning' ? { where } : {}),
    requests: transcript.requests,
    milliseconds: Math.round(performance.now() - started),
    steps: transcript.entries,
  }
}

async function judge(
  module: ConformanceModule,
  options: RunOptions,
  transcript: Transcript,
): Promise<Outcome> {
  if (module.only === 'chartside' && options.target.kind !== 'chartside') {
    return { verdict: 'skipped', reason: 'The service under test has no launches.' }
  }
  const failed = (expected: string, found: string): Outcome => ({
    verdict: 'failed',
    expected: transcript.redacted(expected),
    cause: transcript.redacted(found),
  })
  try {
    await module.run(new ModuleContext({ ...options, transcript }))
    return warningOf(transcript) ?? { verdict: 'passed' }
  } catch (error) {
    if (error instanceof ModuleSkipped) {
      return warningOf(transcript) ?? { verdict: 'skipped', reason: error.message }
    }
    if (error instanceof ModuleFailed) return failed(error.message, error.found)
    options.signal.throwIfAborted()
    if (error instanceof CannotRun) throw error
    return failed('the module runs to its end', error instanceof Error ? error.message : `${error}`)
  }
}

function warningOf({ entries }: Transcript): Outcome | undefined {
  const warnings = entries.flatMap((entry) =>
    entry.kind === 'check' && entry.outcome === 'warning' ? [entry] : [],
  )
  if (warnings.length === 0) return undefined
  const causes = warnings.map(({ expectation, found }) => `${expectation}: ${found}`)
  return { verdict: 'warning', cause: causes.join('; ') }
}
