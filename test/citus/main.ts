// npm run tool -- citus: what a node asks of a real Citus (run.ts), and what goes on while a worker is away
// (outage.ts). Without a PostgreSQL that has Citus it says that it was skipped. Owns the command line.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const HELP = `Starts a Citus of three machines and a standby on loopback, runs one node on it, and prints how many
partitions each statement asks. Then a worker dies under load and its standby takes its place: the table
says what went on. It fails when a token is lost or doubled.

Usage: CHARTSIDE_CITUS_BIN=/usr/lib/postgresql/15/bin npm run tool -- citus

CHARTSIDE_CITUS_BIN is the folder of initdb and postgres of a PostgreSQL in which Citus is installed
(docs/inside/chaos.md).
`
const say = (text: string) => process.stdout.write(`${text}\n`)

const { CHARTSIDE_CITUS_BIN: bin } = process.env
const [option] = process.argv.slice(2)
if (option === '--help' || option === '-h') process.stdout.write(HELP)
else if (option !== undefined) {
  process.stderr.write(`npm run tool -- citus takes no ${option}: npm run tool -- citus --help\n`)
  process.exitCode = 2
} else if (bin === undefined) {
  say('Skipped: CHARTSIDE_CITUS_BIN names no PostgreSQL with Citus. --help says what it needs.')
} else if (existsSync(join(bin, 'postgres'))) {
  await run(bin)
} else {
  process.stderr.write(`There is no postgres in ${bin}. Set CHARTSIDE_CITUS_BIN to its folder.\n`)
  process.exitCode = 2
}

async function run(folder: string): Promise<void> {
  // Loaded last: --help needs nothing of the service.
  const { launchCitus } = await import('./cluster.ts')
  const steps = [(await import('./run.ts')).runOnCitus, (await import('./outage.ts')).runOutage]
  for (const step of steps) {
    const cluster = await launchCitus(folder)
    await step(cluster).finally(() => cluster.stop())
  }
}
