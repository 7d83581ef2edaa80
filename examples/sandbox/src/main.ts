// What `npm start`, and `npm run dev` of an app, run: reads the command line, starts the sandbox, prints the
// addresses and then live lines, and stops everything on Ctrl-C or SIGTERM. Owns the terminal and the exit code.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { choosePaint, formatEntry } from './log-lines.ts'
import { HELP, type Options, parseOptions } from './options.ts'
import type { Places } from './places.ts'
import type { Sandbox } from './sandbox.ts'

const paint = choosePaint(process.stdout.isTTY === true, process.env)
const print = (text: string): void => void process.stdout.write(`${text}\n`)

function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`\n${paint.bad('The sandbox is not running.')}\n${message}\n`)
  process.exit(1)
}

await run().catch(fail)

async function run(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) return print(HELP.trimEnd())
  await start(options)
}

async function start({ port, reset, apps, only, extension, realSize }: Options): Promise<void> {
  const dataDir = resolve('.chartside', 'sandbox')
  if (reset) await rm(dataDir, { recursive: true, force: true })
  print(paint.quiet(reset ? 'Starting the sandbox afresh…' : 'Starting the sandbox…'))
  const stopping = new AbortController()
  let sandbox: Sandbox | undefined
  const stop = async (): Promise<void> => {
    // At the second signal. During the start, startSandbox stops the parts that run.
    if (stopping.signal.aborted) process.exit(130)
    print(paint.quiet('\nStopping…'))
    stopping.abort(new Error('Stopped while starting.'))
    if (!sandbox) return
    await sandbox.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

  const startedAt = Date.now()
  // Loaded last: --help needs nothing of the service.
  const { startSandbox } = await import('./sandbox.ts')
  // The bundler of the package leaves it out.
  const browser =
    !process.env.CHARTSIDE_PACKAGED && extension
      ? await import('./extension-browser.ts')
      : undefined
  browser?.admitExtension(process.env)
  sandbox = await startSandbox({
    port,
    dataDir,
    apps,
    only,
    realSize,
    signal: stopping.signal,
    log: (entry) => print(formatEntry(entry, paint)),
    onExit: fail,
  })
  const { email, password } = sandbox.administrator
  printAddresses(sandbox.places, `${email}, password ${password}`, Date.now() - startedAt)
  if (!browser) return
  print(`  ${await browser.openExtension(sandbox.places, dataDir, stopping.signal)}\n`)
}

function printAddresses(
  { service, ehr, apps }: Places,
  administrator: string,
  tookMs: number,
): void {
  const rows: [string, string, string][] = [
    ['Open', `${ehr.url}/meadow`, 'the sample EHR: sign in and watch the apps open'],
    ['', `${service.url}/console`, `the console: ${administrator}`],
    ['', `${service.url}/docs`, 'the documentation, with search'],
    ['', `${service.url}/doc`, 'the service and its API'],
    ...apps.map(({ manifest, origins }, index): [string, string, string] => [
      index === 0 ? 'Apps' : '',
      `${origins.origin}/`,
      `${manifest.registration.name}${manifest.kinds.includes('ui') ? '' : ', without a screen'}`,
    ]),
  ]
  const width = Math.max(...rows.map(([, url]) => url.length))
  print('')
  for (const [label, url, what] of rows) {
    print(
      `  ${paint.strong(label.padEnd(6))}${paint.strong(url.padEnd(width))}   ${paint.quiet(what)}`,
    )
  }
  print(
    `\n  ${paint.quiet(`Ready in ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`)}\n`,
  )
}
