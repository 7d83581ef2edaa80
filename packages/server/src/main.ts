// The process: reads the environment and the system clock, starts the app, listens, and shuts down
// gracefully. The only file that knows signals, exit codes and the real time.
import cluster from 'node:cluster'
import { uptime } from 'node:os'
import { type Logger, pino } from 'pino'
import type { RunningApp } from './app.ts'
import { type Config, describeConfig, describeSettings, parseConfig } from './config/config.ts'
import { explainFailure } from './config/explain.ts'
import { readVersion } from './config/version.ts'
import { CONSOLE_FILES } from './console/console-files.ts'
import { DOCS_FILES } from './docs/docs-files.ts'
import { gatherLines } from './gathered-lines.ts'
import { systemRandomness } from './kernel/randomness.ts'
import { requireSdk } from './meta/sdk-script.ts'
import { formatForTerminal } from './terminal-log.ts'
import { superviseWorkers, WORKER_NUMBER } from './workers/worker-supervisor.ts'

const HELP = `Chartside: app authentication and launches for apps beside the chart.

Usage: chartside serve            where the package is installed; npx @chartside/server does the same
       npm run serve              in the repository

Configured by the environment. Without any of it the service starts for development, on this machine only, with
sample data. In production it needs CHARTSIDE_ENVIRONMENT=production, CHARTSIDE_BASE_URL, CHARTSIDE_MASTER_KEY and, at
the first start, CHARTSIDE_ADMIN_EMAIL and CHARTSIDE_ADMIN_PASSWORD. It installs and downloads nothing.

Environment:
${describeSettings()}
`

const NO_HOST =
  'CHARTSIDE_HOST_ORIGINS is empty: no extension and no page can open apps, because the SDK trusts no host and ' +
  'error pages stay blank in a panel. Set it to the origin of your extension, such as chrome-extension://<id>.'

async function main(): Promise<void> {
  if (answerArgument(process.argv.slice(2))) return
  const { config, warnings } = parseConfig(process.env)
  const worker = cluster.isWorker ? Number(process.env[WORKER_NUMBER]) : undefined
  const base = worker === undefined ? null : { worker }
  const log = pino(
    { level: config.logLevel, base, timestamp: pino.stdTimeFunctions.isoTime },
    process.stdout.isTTY ? terminal() : standardOutput(),
  )
  // The supervisor has said it for all workers.
  if (worker === undefined) {
    for (const warning of warnings) log.warn(warning)
    if (config.hostOrigins.length === 0) log.warn(NO_HOST)
    log.info(describeConfig(config), 'configuration')
  }
  if (config.workers > 1 && cluster.isPrimary) {
    if (config.tlsCertFile) process.on('SIGHUP', notifyWorkers)
    return superviseWorkers(config.workers, monotonic, log)
  }
  requireServedFiles(config)

  // Only here: a supervisor needs none of it.
  const { startApp } = await import('./app.ts')
  // Each worker answers the collector on a port of its own.
  if (worker !== undefined && config.metricsPort > 0) config.metricsPort += worker - 1
  const app = await startApp(config, {
    clock: Date.now,
    monotonic,
    uptime: () => uptime() * 1000,
    randomness: systemRandomness(),
    log,
  })
  stopOnSignals(app, config.drainSeconds * 1000, log)
  // Without TLS the signal ends the process, as when its terminal is closed.
  if (config.tlsCertFile) process.on('SIGHUP', () => void app.refreshCertificate())

  await app.server.listen({ host: config.host, port: config.port })
  await app.listenForScrapes()
  app.startJobs()
  log.info(
    { url: config.baseUrl, version: readVersion(), startedInMs: Math.round(performance.now()) },
    'ready',
  )
}

/** The options that ask for a text, and what the service does not take. Returns whether it has answered. */
function answerArgument(words: readonly string[]): boolean {
  // `chartside serve` is this process too.
  const [first, ...others] = words
  const argument = first === 'serve' ? others[0] : first
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(HELP)
    return true
  }
  if (argument === '--version' || argument === '-V') {
    process.stdout.write(`${readVersion()}\n`)
    return true
  }
  if (argument !== undefined) {
    process.stderr.write(
      `The service takes no ${argument}: the environment configures it. --help lists the variables.\n`,
    )
    process.exitCode = 2
    return true
  }
  return false
}

function stopOnSignals(app: RunningApp, drainMs: number, log: Logger): void {
  const draining = new AbortController()
  let isStopping = false
  const stop = (signal: string) => {
    // At Ctrl-C and at a second signal a person waits.
    if (isStopping || signal === 'SIGINT') draining.abort()
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    const drained = signal === 'SIGINT' ? undefined : app.drain(drainMs, draining.signal)
    Promise.resolve(drained)
      .then(() => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'graceful shutdown failed')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

const monotonic = () => performance.now()

function notifyWorkers(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
}

/** Runs before the node is ready: it would answer 500 to the pages of apps. @throws Error with the fix */
function requireServedFiles(config: Config): void {
  if (config.environment === 'development') return
  try {
    requireSdk(config.hostOrigins)
    CONSOLE_FILES.load()
    if (config.docs === 'on') DOCS_FILES.load()
  } catch (error) {
    throw new Error(
      `What the service serves to browsers is not built: ${(error as Error).message}. Run npm run build.`,
    )
  }
}

function standardOutput(): { write(line: string): void } {
  const stream = pino.destination({ dest: 1, sync: true })
  return gatherLines((lines) => stream.write(lines))
}

/** Any value of NO_COLOR but the empty one switches colour off (https://no-color.org). */
function terminal(): { write(line: string): void } {
  const isColoured = !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  return { write: (line) => void process.stdout.write(formatForTerminal(line, isColoured)) }
}

main().catch((error: unknown) => {
  // After the log lines of this iteration, so that the reason is the last that one reads.
  setImmediate(() => {
    process.stderr.write(`${explainFailure(error)}\n`)
    process.exit(1)
  })
})
