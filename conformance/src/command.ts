// The command from arguments to exit code, with input and output given from outside: opens the
// target, runs the modules, writes the reports. main.ts gives it the process.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoginScript } from './browser.ts'
import { chooseModules } from './catalog.ts'
import { openChartside } from './chartside-target.ts'
import { HELP } from './help.ts'
import { CannotRun, HttpClient, NoAnswer } from './http-client.ts'
import { loadMetadata } from './metadata.ts'
import type { ConformanceModule } from './module.ts'
import { type Options, parseOptions, UsageError } from './options.ts'
import { openPeer } from './peer-target.ts'
import { buildHtml } from './report/html.ts'
import { buildReport, type Report } from './report/report.ts'
import { TerminalReport } from './report/terminal.ts'
import { runModules } from './runner.ts'
import type { Target } from './target.ts'

export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The password of a sandbox that runs in this folder; empty where none does. */
  readonly sandboxPassword: string
  readonly hasColor: boolean
  readonly isInteractive: boolean
  print(text: string): void
  printError(text: string): void
  readonly signal: AbortSignal
}

const REQUEST_TIMEOUT_MS = 10_000

/** Runs the command. Exit code 0: nothing failed. 1: a module failed. 2: the run could not be made. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const options = parseOptions(args, io.environment, io.sandboxPassword)
    if (options.help) {
      io.print(HELP)
      return 0
    }
    const { chosen, unknown } = chooseModules(options.only)
    if (unknown.length > 0) {
      throw new UsageError(`There is no module ${unknown.join(', ')}. --list shows them all.`)
    }
    if (options.list) {
      io.print(
        chosen.map(({ id, title, source }) => `${id}\n    ${title}\n    ${source}\n`).join(''),
      )
      return 0
    }
    const report = await run(options, chosen, io)
    if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`)
    if (options.htmlFile) writeFileSync(options.htmlFile, buildHtml(report))
    return report.summary.failed > 0 ? 1 : 0
  } catch (error) {
    io.printError(`${describe(error)}\n`)
    return 2
  }
}

function describe(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n--help lists the options.`
  if (error instanceof CannotRun || error instanceof NoAnswer) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return 'The run took too long (--timeout-seconds).'
  }
  if (error instanceof DOMException && error.name === 'AbortError') return 'Stopped.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function run(
  options: Options,
  modules: readonly ConformanceModule[],
  io: CommandIo,
): Promise<Report> {
  const startedAt = new Date()
  const started = performance.now()
  const timeout = AbortSignal.timeout(options.timeoutSeconds * 1000)
  const signal = AbortSignal.any([io.signal, timeout])
  const limits = { ...options, timeoutMs: REQUEST_TIMEOUT_MS, signal }
  const http = new HttpClient(limits)
  const metadata = await loadMetadata(http, options.issuer)
  const secrets = new Set<string>()
  const target = await openTarget(options, http, secrets)
  const terminal = new TerminalReport({ ...io, total: modules.length })
  try {
    const results = await runModules({
      ...options,
      target,
      metadata,
      http,
      modules,
      secrets,
      signal,
      onStart: (module, number) => io.print(terminal.started(module, number)),
      onResult: (result) => io.print(terminal.ended(result)),
    })
    const report = buildReport({
      issuer: target.issuer,
      service: target.kind,
      requests: http.sent,
      modules: results,
      startedAt,
      milliseconds: performance.now() - started,
    })
    io.print(terminal.summary(report))
    return report
  } finally {
    // The run has its verdicts; what could not be removed is said and changes none.
    http.beginRemoval()
    await target
      .close()
      .catch((error) => io.printError(`Not all was removed at the end: ${describe(error)}\n`))
  }
}

async function openTarget(
  options: Options,
  http: HttpClient,
  secrets: Set<string>,
): Promise<Target> {
  const { issuer, client, otherClient } = options
  if (!options.isPeer) return openChartside(http, { ...options, secrets })
  if (!client) throw new UsageError('--issuer needs --client-id, --client-secret, --redirect-uri.')
  const login = options.loginScript ? await loadLoginScript(options.loginScript) : undefined
  for (const { secret } of [client, ...(otherClient ? [otherClient] : [])]) secrets.add(secret)
  return openPeer({
    issuer,
    client,
    otherClient: otherClient && { ...otherClient, redirectUri: client.redirectUri },
    login,
  })
}

async function loadLoginScript(file: string): Promise<LoginScript> {
  const loaded = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw new CannotRun(`The login script ${file} cannot be loaded: ${String(cause)}`, { cause })
  })
  if (typeof loaded.default === 'function') return loaded.default
  throw new CannotRun(`The login script ${file} has no function as its default export.`)
}
