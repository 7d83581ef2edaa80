// npm run tool -- citus: what a node asks of a real Citus (run.ts), what the stories send (statements.ts), and what goes
// on while a worker is away (outage.ts). Without a PostgreSQL that has Citus it was skipped. Owns the command line.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CitusCluster } from './cluster.ts'

const HELP = `Starts a Citus of three machines and a standby on loopback, runs one node on it, and prints how many
partitions each statement asks. Then a worker dies under load and its standby takes its place: the table
says what went on. It fails when a token is lost or doubled.

Usage: CHARTSIDE_CITUS_BIN=/usr/lib/postgresql/15/bin npm run tool -- citus [statements]

CHARTSIDE_CITUS_BIN is the folder of initdb and postgres of a PostgreSQL in which Citus is installed. Debian has
no package of it: build its source with postgresql-server-dev of the same version.
[statements] is a file of what the stories sent, to execute each of them too:
  CHARTSIDE_STATEMENTS_FILE=/tmp/statements.jsonl npm test -- story --engine postgres
`
const say = (text: string) => process.stdout.write(`${text}\n`)

const { CHARTSIDE_CITUS_BIN: bin } = process.env
const [file] = process.argv.slice(2)
if (file === '--help' || file === '-h') process.stdout.write(HELP)
else if (file !== undefined && !existsSync(file)) fail(`There is no file ${file}.`)
else if (bin === undefined) {
  say('Skipped: CHARTSIDE_CITUS_BIN names no PostgreSQL with Citus. --help says what it needs.')
} else if (existsSync(join(bin, 'postgres'))) await run(bin)
else fail(`There is no postgres in ${bin}. Set CHARTSIDE_CITUS_BIN to its folder.`)

function fail(problem: string): void {
  process.stderr.write(`${problem}\nnpm run tool -- citus --help\n`)
  process.exitCode = 2
}

async function run(folder: string): Promise<void> {
  // Loaded last: --help needs nothing of the service.
  const { launchCitus } = await import('./cluster.ts')
  const { runStatements } = await import('./statements.ts')
  const steps: ((cluster: CitusCluster) => Promise<void>)[] = [
    (await import('./run.ts')).runOnCitus,
    ...(file === undefined ? [] : [(cluster: CitusCluster) => runStatements(cluster, file)]),
    (await import('./outage.ts')).runOutage,
  ]
  for (const step of steps) {
    const cluster = await launchCitus(folder)
    await step(cluster).finally(() => cluster.stop())
  }
}
