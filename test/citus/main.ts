// npm run citus: what a node asks of a real Citus (run.ts). Without CHARTSIDE_CITUS_URL it says that it was
// skipped. Owns the command line.
const HELP = `Runs one node on a real Citus and prints how many partitions each statement asks.

Usage: CHARTSIDE_CITUS_URL=postgres://… npm run tool -- citus

The database must be empty, with the extension citus and its workers added (docs/operate/scaling.md).
`
const say = (text: string) => process.stdout.write(`${text}\n`)

const { CHARTSIDE_CITUS_URL: url } = process.env
const [option] = process.argv.slice(2)
if (option === '--help' || option === '-h') process.stdout.write(HELP)
else if (option !== undefined) {
  process.stderr.write(`npm run tool -- citus takes no ${option}: npm run tool -- citus --help\n`)
  process.exitCode = 2
} else if (url) {
  // Loaded last: --help needs nothing of the service.
  const { runOnCitus } = await import('./run.ts')
  await runOnCitus(url)
} else
  say(
    'Skipped: CHARTSIDE_CITUS_URL names no Citus. npm run tool -- citus --help says what it needs.',
  )
