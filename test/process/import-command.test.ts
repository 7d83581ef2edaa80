// `chartside import` beside a running service: 500 practices from CSV, a kill in the middle, mails through a
// real mail server, and files that are wrong. Contract §10 (import), security P02.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { linkIn, startMailServer } from '../../packages/server/test/mail-server.ts'
import { runCommand, startCommand } from './command.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { bearer, send, signIn } from './story-verbs.ts'

const PRACTICES = 500

let service: ServiceProcess
let folder: string
before(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'chartside-import-'))
})
after(async () => {
  await service.discard()
  rmSync(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  CHARTSIDE_DATA_DIR: service.dataDir,
  CHARTSIDE_BASE_URL: service.baseUrl,
  ...more,
})

const write = (name: string, lines: readonly string[]) => {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const importFile = (args: readonly string[], more: Record<string, string> = {}) =>
  runCommand(['import', ...args], environment(more))

const HEADING = 'external_id,name,email,person_name,role'
const csvOf = (prefix: string, count: number) => [
  HEADING,
  ...Array.from(
    { length: count },
    (_, i) =>
      `${prefix}-${i},"Practice ${i}, Main Street",p${i}@${prefix}.example,Dr. ${i},provider`,
  ),
]

async function countAccounts(prefix: string): Promise<number> {
  const token = await signIn(service.baseUrl, ADMIN)
  const found = new Set<string>()
  let [cursor, pages] = ['', 0]
  do {
    const url = `/api/accounts?limit=100${cursor ? `&cursor=${cursor}` : ''}`
    const { body } = await send(service.baseUrl, url, { headers: bearer(token) })
    const page = body as { items: { externalId?: string }[]; nextCursor: string | null }
    for (const { externalId = '' } of page.items) {
      if (externalId.startsWith(`${prefix}-`)) {
        assert.ok(!found.has(externalId), `${externalId} is there twice`)
        found.add(externalId)
      }
    }
    cursor = page.nextCursor ?? ''
  } while (cursor && ++pages < 20)
  return found.size
}

const linesWith = (path: string, outcome: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`,${outcome},`))

test('a killed import of 500 practices goes on, and gives each person one live link', async () => {
  const file = write('many.csv', csvOf('many', PRACTICES))
  const result = `${file}.result.csv`
  const first = startCommand(['import', file], environment())
  while (true) {
    await sleep(5)
    try {
      if (linesWith(result, 'invited').length >= 40) break
    } catch {
      // The file is not there yet.
    }
  }
  first.child.kill('SIGKILL')
  assert.equal((await first.ended).signal, 'SIGKILL')
  const before = linesWith(result, 'invited').length
  assert.ok(before < PRACTICES, 'it was killed in the middle')
  assert.equal(statSync(result).mode & 0o077, 0, 'only the owner reads the links')

  const second = await importFile([file])
  assert.equal(second.code, 0, second.stderr)
  assert.equal(await countAccounts('many'), PRACTICES)
  const links = linesWith(result, 'invited').map((line) => /,(http[^,]+),/.exec(line)?.[1] ?? '')
  assert.equal(new Set(links).size, PRACTICES)
  for (const link of [links[0], links[before - 1], links[before], links.at(-1)]) {
    assert.equal((await fetch(link ?? '')).status, 200, 'the link is open')
  }
  const third = await importFile([file, '--json'])
  const summary = JSON.parse(third.stdout)
  assert.deepEqual(summary.practices, { unchanged: PRACTICES })
  assert.deepEqual(summary.people, { waiting: PRACTICES })
  assert.match(second.stderr, /It holds links that set passwords/)
  assert.doesNotMatch(third.stderr, /links/, 'it invited none')
})

test('a dry run writes nothing, neither to the database nor to a file', async () => {
  const file = write('dry.csv', csvOf('dry', 3))
  const ran = await importFile([file, '--dry-run'])
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stdout, /It would: practices: 3 created/)
  assert.match(ran.stdout, /It would: people: 3 invited/)
  assert.equal(await countAccounts('dry'), 0)
  assert.throws(() => statSync(`${file}.result.csv`), /ENOENT/)
})

test('mails invitations; what the mail server refuses is sent by the next run', async (t) => {
  const mailServer = await startMailServer()
  t.after(() => mailServer.close())
  const people = ['a', 'b'].map((name) => ({
    email: `${name}@mailed.example`,
    name: `Dr. ${name}`,
    role: 'provider',
  }))
  const practice = { externalId: 'mailed-0', name: 'Mailed Practice', people }
  const file = write('mailed.jsonl', [JSON.stringify(practice)])
  mailServer.refuse('try later')
  const refused = await importFile([file, '--mail'], mailServer.environment)
  assert.match(refused.stderr, /mailed-0 a@mailed\.example: The mail server .* 550 .*try later/)
  mailServer.refuse(undefined)
  const ran = await importFile([file, '--mail'], mailServer.environment)
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stderr, /This run has put no link into it/)
  assert.deepEqual(
    mailServer.mails.map(({ to }) => to),
    [['a@mailed.example'], ['b@mailed.example']],
  )
  for (const mail of mailServer.mails) assert.equal((await fetch(linkIn(mail))).status, 200)
  const again = await importFile([file, '--mail'], mailServer.environment)
  assert.match(again.stdout, /people: 2 waiting/)
  assert.equal(mailServer.mails.length, 2)
})

test('says every problem of a file with its line, and imports nothing of it', async () => {
  const file = write('wrong.csv', [
    HEADING,
    'wrong-1,Good Practice,good@wrong.example,Good,provider',
    'wrong-2,,x@wrong.example,X,provider',
    'wrong-1,Another Name,y@wrong.example,Y,provider',
    'wrong-3,Third,not an address,Z,owner',
  ])
  const ran = await importFile([file])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /Nothing was imported/)
  assert.match(ran.stderr, /line 3: \/name must NOT have fewer than 1 characters/)
  assert.match(ran.stderr, /line 4: wrong-1 has another name or collection than in line 2/)
  assert.match(ran.stderr, /line 5: \/people\/0\/email/)
  assert.equal(await countAccounts('wrong'), 0)
})

test('a result file that is something else is not written to', async () => {
  const file = write('small.csv', csvOf('small', 1))
  const other = write('other.csv', ['my,own,file'])
  const ran = await importFile([file, '--result', other])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /not the result of an import/)
  assert.equal(readFileSync(other, 'utf8'), 'my,own,file\n')
  const help = await importFile(['--help'])
  assert.match(help.stdout, /external_id,name,collection_id/)
})
