// `chartside audit archive` on both engines: archives, the trails that stay and what verifies both as one
// whole; killed at any write it loses and doubles nothing. docs/operate/audit.md, security P06, P07.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extendChains, listEvents, NEWEST } from '@chartside/server/operator/audit'
import { type Database, type Statement, sql } from '@chartside/server/operator/database'
import { archiveTrails, chooseName } from '../../packages/operator/src/archive/archive.ts'
import {
  assertNothingLost,
  chartside,
  fill,
  NOW,
  newFolder,
  root,
  startOf,
} from '../../packages/operator/src/archive/archive-fixture.ts'
import { CommandFailed } from '../../packages/operator/src/context.ts'
import { launchStatements } from '../../packages/server/test/audit-launches.ts'
import { ENGINES } from '../../packages/server/test/engines.ts'
import { administerAt } from '../../packages/server/test/postgres.ts'

after(() => rmSync(root, { recursive: true }))

const onRecorded = async () => {}
const { signal } = new AbortController()
const archiveOf = (db: Database, folder: string, month: string) =>
  archiveTrails({
    db,
    folder,
    month,
    before: startOf(month),
    now: NOW,
    onProgress() {},
    signal,
    onRecorded,
  })

test('verify and archive name the events in no chain, and exit with 3 when they wait', async (t) => {
  const filled = await fill(`file:${join(newFolder(), 'pending.db')}`, ['2026-03'])
  t.after(() => filled.db.close())
  const { url, db, practices } = filled
  const folder = newFolder()
  const commands = [
    ['verify', '--archives', folder],
    ['archive', folder],
    ['archive', folder, '--dry-run'],
  ]
  for (const command of commands) {
    assert.match(await chartside(url, ...command), /^No event is pending/m)
  }
  const [practice] = practices
  assert.ok(practice)
  await db.write(...launchStatements(practice, NOW - 1000))
  for (const command of commands) {
    assert.match(
      await chartside(url, ...command),
      /^3 events are pending: .* since 2026-04-20 11:59/m,
    )
  }
  await db.write(...launchStatements(practice, NOW - 310_000))
  for (const command of commands) {
    await assert.rejects(chartside(url, ...command), (error) => {
      assert.ok(error instanceof CommandFailed)
      assert.match(error.message, /^6 events are pending: .* since 2026-04-20 11:54/)
      return error.exitCode === 3
    })
  }
})

for (const [name, start] of ENGINES) {
  test(`${name}: archives month after month, and verifies all of it as one [P06]`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const filled = await fill(await engine.freshDatabase())
    t.after(() => filled.db.close())
    const { url, db, practices } = filled
    const folder = newFolder()
    const [{ accountId } = { accountId: '' }] = practices

    const plan = await chartside(url, 'archive', folder, '--before', '2026-02', '--dry-run')
    assert.match(plan, /^Would archive 2\d events of 3 trails/)
    assert.deepEqual(readdirSync(folder), [])
    assert.match(await chartside(url, 'archive', folder), /Nothing to archive/)
    const first = await chartside(url, 'archive', folder, '--before', '2026-02')
    assert.match(first, /Archived 2\d events of 3 trails in audit-before-2026-02\.jsonl\.gz/)
    await assertNothingLost(filled, folder)
    assert.match(await chartside(url, 'verify', '--archives', folder), /^.*Whole: /ms)
    assert.match(await chartside(url, 'archive', folder, '--before', '2026-02'), /Nothing to/)
    assert.match(await chartside(url, 'archive', folder, '--before', '2026-04'), /before-2026-04/)
    await assertNothingLost(filled, folder)

    // The trail goes on: new events, their places in the chain, lists, exports.
    const [practice] = practices
    assert.ok(practice)
    await db.write(...launchStatements(practice, NOW + 1000))
    await extendChains(db, NOW + 60_000, { settleMs: 0 })
    const shown = await listEvents(db, { accountId, before: NEWEST, limit: 200 })
    assert.deepEqual(
      shown.slice(0, 3).map(({ action }) => action),
      ['exchange', 'authorize', 'launch'],
    )
    const whole = await chartside(url, 'verify', '--archives', folder)
    assert.match(whole, new RegExp(`${accountId} from 1 ends at ${shown[0]?.chain?.seq}:`))
    const platform = await listEvents(db, { accountId: 'platform', before: NEWEST, limit: 9 })
    const events = platform.filter(({ action }) => action === 'archiveAuditTrail')
    assert.deepEqual(
      events.map(({ actor, detail }) => [actor, detail.user, detail.file].join()).sort(),
      readdirSync(folder)
        .map((file) => `operator,dana,${file}`)
        .sort(),
    )

    // Offline: the archives and an export.
    const live = join(newFolder(), 'live.jsonl')
    await chartside(url, 'export', live, '--account', accountId)
    const archives = readdirSync(folder).map((file) => join(folder, file))
    assert.match(await chartside(url, 'verify', ...archives, live), /^Whole: /m)
    assert.match(await chartside(url, 'verify', live), /begins after number/)
    const [oldest = '', newest = ''] = archives
    const refused = async (files: readonly string[], why: RegExp) =>
      assert.rejects(chartside(url, 'verify', ...files), why)
    await refused([newest, live], /events 1 to \d+ are missing/)
    await refused([oldest, live], /events \d+ to \d+ are missing/)
    await refused([oldest, oldest, newest, live], /are there twice/)
  })

  test(`${name}: refuses an archive that is missing, doubled, cut or changed [P07]`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const filled = await fill(await engine.freshDatabase())
    t.after(() => filled.db.close())
    const { url, db } = filled
    const folder = newFolder()
    for (const month of ['2026-02', '2026-03']) await archiveOf(db, folder, month)
    const path = join(folder, 'audit-before-2026-02.jsonl.gz')
    const original = readFileSync(path)
    const text = gunzipSync(original).toString()
    const lines = text.split('\n')
    const verify = () => chartside(url, 'verify', '--archives', folder)
    const wrong: Record<string, [change: () => void, why: RegExp]> = {
      missing: [() => renameSync(path, join(root, 'away')), /is missing in/],
      doubled: [
        () => copyFileSync(path, join(folder, 'audit-before-2026-02-2.jsonl.gz')),
        /a second copy/,
      ],
      shortened: [
        () => writeFileSync(path, original.subarray(0, -20)),
        /cannot be read to its end/,
      ],
      'cut at a line': [
        () => writeFileSync(path, gzipSync(lines.slice(0, -3).join('\n'))),
        /the file was cut/,
      ],
      'without a trail': [
        () =>
          writeFileSync(
            path,
            gzipSync(text.slice(lines.findIndex((l) => l.startsWith('{"head"')))),
          ),
        /NOT whole/,
      ],
      altered: [
        () => writeFileSync(path, gzipSync(text.replace('203.0.113.77', '203.0.113.78'))),
        /was changed, or the line before it was/,
      ],
      'compressed anew': [() => writeFileSync(path, gzipSync(text, { level: 1 })), /not the file/],
    }
    for (const [what, [change, why]] of Object.entries(wrong)) {
      change()
      await assert.rejects(verify(), why, what)
      rmSync(join(folder, 'audit-before-2026-02-2.jsonl.gz'), { force: true })
      writeFileSync(path, original)
    }
    await verify()
    // Offline, without what the database has recorded.
    const cut = join(newFolder(), 'audit-before-2026-02.jsonl.gz')
    const last = lines.findLastIndex((line) => line.startsWith('{"begin"'))
    for (const [ends, why] of [
      [[], /the end of the archive is missing/],
      [lines.slice(-2), /other trails or events than 2 and/],
    ] as const) {
      writeFileSync(cut, gzipSync([...lines.slice(0, last), ...ends].join('\n')))
      await assert.rejects(chartside(url, 'verify', cut), why)
    }
  })

  test(`${name}: killed at any write, it goes on and loses nothing [P06]`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    let at = 1
    for (let isDone = false; !isDone; at += name === 'sqlite' ? 1 : 3) {
      const filled = await fill(await engine.freshDatabase(), ['2026-01', '2026-02'])
      const { db, url } = filled
      const folder = newFolder()
      const { write } = db
      let writes = 0
      const killed = (...statements: readonly Statement[]) =>
        ++writes === at ? Promise.reject(new Error('killed')) : write.call(db, ...statements)
      Object.assign(db, { write: killed })
      isDone = await archiveOf(db, folder, '2026-03').then(
        () => true,
        (error: Error) => {
          assert.match(error.message, /killed/)
          return false
        },
      )
      Object.assign(db, { write })
      writeFileSync(join(folder, 'audit-before-2026-03.jsonl.gz.partial'), 'half')
      await archiveOf(db, folder, '2026-03')
      await archiveOf(db, folder, '2026-03')
      assert.deepEqual(readdirSync(folder), ['audit-before-2026-03.jsonl.gz'])
      const [left] = await db.read(
        sql`SELECT COUNT(*) AS events FROM audit_entries WHERE at < ${startOf('2026-03')}`,
      )
      assert.equal(Number(left?.events), 0, 'all of it is removed')
      await assertNothingLost(filled, folder)
      await chartside(url, 'verify', '--archives', folder)
      await db.close()
    }
    assert.ok(at > 5, `${at} writes`)
  })
}

test('says what is wrong with an input, and what to do', async (t) => {
  const [, start] = ENGINES[0] ?? assert.fail()
  const engine = await start()
  t.after(() => engine.stop())
  const { url, db } = await fill(await engine.freshDatabase())
  t.after(() => db.close())
  const folder = newFolder()
  const wrong: readonly [args: readonly string[], why: RegExp][] = [
    [['archive', join(folder, 'none')], /is not a folder/],
    [['archive', folder, '--before', '2026-13'], /Must be a month/],
    [['archive', folder, '--before', '2026-05'], /is too late/],
    [['verify'], /Name the files/],
    [['verify', 'x.jsonl', '--archives', folder], /Name the files/],
    [['verify', join(folder, 'none.jsonl.gz')], /There is no file/],
  ]
  for (const [args, why] of wrong)
    await assert.rejects(chartside(url, ...args), why, args.join(' '))
  // A trail that was changed stays in the database.
  await db.write(sql`UPDATE audit_links SET seq = seq + 100 WHERE seq > 3`)
  const archiving = chartside(url, 'archive', folder, '--before', '2026-03')
  await assert.rejects(archiving, /does not verify, so nothing of it is removed/)
})

test('needs the owner of the tables, and says so [P06]', async (t) => {
  const [, start] = ENGINES[1] ?? assert.fail()
  const engine = await start()
  t.after(() => engine.stop())
  const { url, db } = await fill(await engine.freshDatabase())
  t.after(() => db.close())
  const role = `chartside_reader_${process.pid}`
  await administerAt(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${role}`,
  )
  const service = new URL(url)
  service.username = role
  service.password = 'secret'
  const archiving = chartside(service.href, 'archive', newFolder(), '--before', '2026-03')
  await assert.rejects(archiving, /may not remove audit events .*owner of the tables/)
  await administerAt(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

test('names a second archive of a month by a number, and takes no name twice [P06]', async () => {
  const folder = newFolder()
  const taken: string[] = []
  for (let i = 0; i < 3; i++) {
    taken.push(await chooseName({ folder, month: '2026-02' }))
    writeFileSync(join(folder, taken.at(-1) ?? ''), '')
  }
  assert.deepEqual(taken, [
    'audit-before-2026-02.jsonl.gz',
    'audit-before-2026-02-2.jsonl.gz',
    'audit-before-2026-02-3.jsonl.gz',
  ])
})
