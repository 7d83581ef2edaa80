// What an operator runs, on many rows: building the chain, backup, lists, sweep, archive and the check of archives,
// each at a quarter of the size and at the whole one. Two sizes show what does not grow in proportion.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { openDatabase } from '../../packages/server/src/db/open.ts'
import {
  ADMIN,
  environmentWithoutSettings,
  startService,
} from '../../test/process/service-process.ts'
import { api, signIn } from '../../test/process/story-verbs.ts'
import { startEngine } from './engine.ts'
import { connect, countExpired, DAY_MS, insertExpired, STEP, series } from './expired-rows.ts'
import { type LoadJob, type LoadResult, startWorker } from './jobs.ts'
import type { Options } from './options.ts'
import { setUpPractices } from './practices.ts'
import { serviceEnvironment } from './service-settings.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'
import type { YearFigure } from './year-table.ts'

const EVENTS_OF_LAUNCH = 3
/** Launches are this old at most: one half is due for the sweep. */
const LAUNCH_DAYS = 14
const YEAR_MS = 365 * DAY_MS
const SWEEP_MS = 60_000
const OPERATOR = fileURLToPath(new URL('../../packages/operator/src/main.mjs', import.meta.url))

const say = (text: string) => process.stderr.write(`[year] ${text}\n`)

export async function measureYear(options: Options): Promise<YearFigure[][]> {
  const engine = await startEngine(options.engine)
  const sizes: YearFigure[][] = []
  try {
    for (const launches of [Math.round(options.launches / 4), options.launches]) {
      const databaseUrl = await engine.freshDatabase()
      const measure = (directory: string) =>
        measureSize(directory, { databaseUrl, dataDir: join(directory, 'data') }, launches)
      sizes.push(await inTemporaryDirectory(measure))
    }
    return sizes
  } finally {
    await engine.stop()
  }
}

interface Place {
  /** The database; '' is the embedded one in `dataDir`. */
  readonly databaseUrl: string
  readonly dataDir: string
}

async function measureSize(
  directory: string,
  place: Place,
  launches: number,
): Promise<YearFigure[]> {
  const figures: YearFigure[] = []
  const measure = async (figure: Omit<YearFigure, 'seconds'>, work: () => unknown) => {
    say(`${figure.name}: ${figure.rows} rows`)
    const beganAt = performance.now()
    await work()
    figures.push({ ...figure, seconds: (performance.now() - beganAt) / 1000 })
  }
  await fill(place, launches)
  const events = launches * EVENTS_OF_LAUNCH
  const all = launches + events
  await measure({ name: 'building the chain', rows: events, unit: 'events' }, () => chain(place))
  const backups = join(directory, 'backups')
  const archives = join(directory, 'archives')
  for (const folder of [backups, archives]) mkdirSync(folder)
  await measure({ name: 'backup', rows: all, unit: 'rows' }, () =>
    operate(place, 'db', 'backup', backups),
  )
  figures.push({ name: 'backup file', rows: all, unit: 'rows', bytes: sizeOf(backups) })
  figures.push(...(await measureService(place)))
  const before = new Date(Date.now() - 40 * DAY_MS).toISOString().slice(0, 'yyyy-mm'.length)
  const archived = Math.round((events * (Date.parse(before) - (Date.now() - YEAR_MS))) / YEAR_MS)
  const archiving = { rows: archived, unit: 'events' } as const
  await measure({ name: 'archive', ...archiving }, () =>
    operate(place, 'audit', 'archive', archives, '--before', before),
  )
  figures.push({ name: 'archive file', ...archiving, bytes: sizeOf(archives) })
  await measure({ name: 'check of archives and trails', rows: events, unit: 'events' }, () =>
    operate(place, 'audit', 'verify', '--archives', archives),
  )
  return figures
}

/** Launches of two weeks and events of a year, each a copy of a real one. */
async function fill(place: Place, launches: number): Promise<void> {
  const setUpAt = Date.now()
  const start = { dataDir: place.dataDir, environment: serviceEnvironment(place.databaseUrl) }
  const service = await startService(start)
  const load = startWorker<LoadJob, LoadResult>('load-worker.ts')
  const people = await setUpPractices(service.baseUrl, ADMIN)
  // A launch of each app, with its events.
  await load.ask({ kind: 'connect', target: { kind: 'service', port: service.port, people } })
  load.end()
  await service.end()
  for (let day = LAUNCH_DAYS; day > 0; day--) {
    say(`launches: ${LAUNCH_DAYS - day + 1} of ${LAUNCH_DAYS} days`)
    const rows = Math.ceil(launches / LAUNCH_DAYS)
    await insertExpired(place, rows, () => {}, setUpAt - day * DAY_MS + DAY_MS / 2)
  }
  const { run, close } = await connect(place.databaseUrl, place.dataDir)
  // The last launch of each partition that has one, with its events.
  const templates = `(SELECT e.part, e.n, e.at - l.at AS delay, e.account_id, e.content,
      DENSE_RANK() OVER (ORDER BY e.part) - 1 AS k
    FROM audit_entries e JOIN (SELECT part, MAX(created_at) AS at FROM launches
      WHERE created_at >= ${setUpAt} GROUP BY part) l ON e.part = l.part AND e.at >= l.at)`
  const kinds = await run.count(`SELECT COUNT(DISTINCT t.part) AS n FROM ${templates} t`)
  const everyMs = Math.floor((YEAR_MS - DAY_MS) / launches)
  for (let from = 0; from < launches; from += STEP) {
    const to = Math.min(launches, from + STEP) - 1
    say(`events: ${to + 1} of ${launches} launches`)
    await run.statement(`INSERT INTO audit_entries (part, n, at, account_id, content)
      SELECT t.part, t.n, ${setUpAt - YEAR_MS} + CAST(s.n AS BIGINT) * ${everyMs} + t.delay, t.account_id, t.content
      FROM ${series(place.databaseUrl, from, to)} s JOIN ${templates} t ON t.k = s.n % ${kinds}`)
  }
  // What was chained meanwhile begins again, in order.
  await run.statement('DELETE FROM audit_links')
  await run.statement('DELETE FROM leases')
  await close()
}

async function chain({ databaseUrl, dataDir }: Place): Promise<void> {
  const url = databaseUrl || `file:${dataDir}/chartside.db`
  const db = await openDatabase(url, { poolSize: 4, statementTimeoutMs: 600_000 })
  const { run, close } = await connect(databaseUrl, dataDir)
  const reporting = setInterval(async () => {
    const ends = 'SELECT MAX(seq) AS seq FROM audit_links GROUP BY trail'
    say(`chained: ${await run.count(`SELECT SUM(e.seq) AS n FROM (${ends}) e`)} events`)
  }, 10_000)
  try {
    await extendChains(db, Date.now())
  } finally {
    clearInterval(reporting)
    await close()
    await db.close()
  }
}

/** @throws Error when the command fails; it says why itself. */
function operate({ databaseUrl, dataDir }: Place, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [OPERATOR, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...environmentWithoutSettings(),
      CHARTSIDE_DATA_DIR: dataDir,
      ...(databaseUrl === '' ? {} : { CHARTSIDE_DATABASE_URL: databaseUrl }),
    },
  })
  if (status !== 0) throw new Error(`chartside ${args.join(' ')} ended with ${status}`)
}

const sizeOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** Measures first pages of the launch lists, while the sweep deletes what is due. */
async function measureService(place: Place): Promise<YearFigure[]> {
  const { databaseUrl, dataDir } = place
  const service = await startService({ dataDir, environment: serviceEnvironment(databaseUrl) })
  try {
    const caller = { baseUrl: service.baseUrl, sessionToken: await signIn(service.baseUrl, ADMIN) }
    const times: number[] = []
    const due = await countDue(place)
    const beganAt = performance.now()
    while (times.length < 5) {
      const askedAt = performance.now()
      const { status, text } = await api(caller, 'GET', '/api/launches?limit=50')
      if (status !== 200) throw new Error(`the list of launches answers ${status}: ${text}`)
      times.push((performance.now() - askedAt) / 1000)
    }
    let left = await countDue(place)
    while (left > 0 && performance.now() - beganAt < SWEEP_MS) {
      await sleep(2000)
      left = await countDue(place)
    }
    const seconds = (performance.now() - beganAt) / 1000
    return [
      { name: 'slowest of five first pages of launches', seconds: Math.max(...times) },
      { name: 'sweep', rows: due - left, unit: 'launches', seconds },
    ]
  } finally {
    await service.end('SIGTERM')
  }
}

const countDue = ({ databaseUrl, dataDir }: Place) => countExpired(databaseUrl, dataDir, 7)
