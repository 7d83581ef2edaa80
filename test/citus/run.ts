// One node on a real Citus: divides the tables, goes through a launch, its ends, the audit chain and the
// sweep, and prints how many partitions each statement asks. Changes the database that it is given, which
// must be empty. docs/operate/scaling.md.
import assert from 'node:assert/strict'
import pg from 'pg'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { verifyExport } from '../../packages/server/src/audit/audit-export.ts'
import { readExport } from '../../packages/server/src/audit/audit-export-file.ts'
import { PARTITIONED_TABLES } from '../../packages/server/src/db/migrations/layout.ts'
import type { SqlValue, Statement } from '../../packages/server/src/db/sql.ts'
import { sweep } from '../../packages/server/src/jobs/sweep.ts'
import {
  authorize,
  exchange,
  freshCode,
  isActive,
  type Story,
  startStory,
} from '../../packages/server/test/story.ts'
import { type CitusCluster, divideTables } from './cluster.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Each text that was sent, with its values and the step that sent it first. */
type Sent = Map<string, { readonly args: readonly SqlValue[]; readonly step: string }>

function record(story: Story, sent: Sent, stepOf: () => string): void {
  const { db } = story.service.service
  const { read, write } = db
  const note = ({ sql, args }: Statement) => {
    if (!sent.has(sql)) sent.set(sql, { args, step: stepOf() })
  }
  Object.assign(db, {
    read(statement: Statement) {
      note(statement)
      return read.call(db, statement)
    },
    write(...statements: readonly Statement[]) {
      for (const statement of statements) note(statement)
      return write.call(db, ...statements)
    },
  })
}

const STEPS: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  async flow(story) {
    const token = (await exchange(story, await freshCode(story))).json().access_token
    assert.equal(await isActive(story, token), true)
  },
  async replay(story) {
    const code = await freshCode(story)
    const token = (await exchange(story, code)).json().access_token
    assert.equal((await exchange(story, code)).statusCode, 400)
    assert.equal(await isActive(story, token), false)
  },
  async 'host steps'(story) {
    const { id } = await story.launch()
    for (const step of ['opened', 'handshake', 'context']) {
      const reported = await story.api('POST', `/api/launches/${id}/steps`, { step, outcome: 'ok' })
      assert.equal(reported.statusCode, 204, reported.body)
    }
    assert.equal((await story.api('DELETE', `/api/launches/${id}`)).statusCode, 204)
  },
  async activity(story) {
    story.service.clock.advance(120)
    const moved = await story.api('POST', `/api/sessions/${story.sessionId}/activity`, {})
    assert.equal(moved.statusCode, 200, moved.body)
  },
  async lists(story) {
    for (const url of ['/api/launches', '/api/launches/causes', '/api/sessions?state=live']) {
      const listed = await story.api('GET', `${url}`)
      assert.equal(listed.statusCode, 200, listed.body)
    }
  },
  async 'kill switch'(story) {
    const app = await story.registerApp('killed')
    const { launchId } = await story.launch({ app, sessionId: await story.openSession() })
    const code = (await authorize(story, launchId, {}, app)).searchParams.get('code') ?? ''
    assert.equal((await exchange(story, code, {}, app)).statusCode, 200)
    const disabled = await story.api('PATCH', `/api/apps/${app.id}`, { enabled: false })
    assert.equal(disabled.statusCode, 200, disabled.body)
  },
  async 'audit chain'(story) {
    const { db, clock } = story.service.service
    assert.ok(((await extendChains(db, clock(), { settleMs: -1 })) ?? 0) > 10)
    const lines: string[] = []
    for await (const line of readExport(db, story.accountId)) lines.push(line.trimEnd())
    assert.deepEqual(verifyExport(lines).problems, [])
  },
  async 'sign-out'(story) {
    const token = (await exchange(story, await freshCode(story))).json().access_token
    const headers = { authorization: `Bearer ${story.adminToken}` }
    await story.request({ method: 'POST', url: '/auth/sign-out', headers })
    assert.equal(await isActive(story, token), false)
  },
  async sweep(story) {
    story.service.clock.advance(15 * 86_400)
    const swept = await sweep(story.service.service, { pause: async () => {} })
    assert.ok((swept?.removed.launches ?? 0) > 3)
  },
}

/** With the values in the text: a plan for parameters may not say which partitions are asked. */
function withValues(statement: string, args: readonly SqlValue[]): string {
  let at = 0
  return statement.replace(/\?/g, () => {
    const value = args[at++]
    if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
    return typeof value === 'string' ? pg.escapeLiteral(value) : String(value ?? 'NULL')
  })
}

const HOT_STEPS = ['flow', 'replay', 'host steps', 'activity']

async function printPartitions(url: string, sent: Sent): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names = Object.keys(PARTITIONED_TABLES).join('|')
  for (const [statement, { args, step }] of sent) {
    if (!new RegExp(`\\b(${names})\\b`).test(statement)) continue
    await client.query('BEGIN')
    const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${withValues(statement, args)}`)
    await client.query('ROLLBACK')
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count).join('+')
    const text = statement.replace(/\s+/g, ' ').slice(0, 90)
    say(`${tasks.padStart(12)}  ${step.padEnd(12)} ${text}`)
    // Two for the owner of a record, which may be of an earlier version.
    if (HOT_STEPS.includes(step)) assert.match(tasks, /^[12]$/, statement)
  }
  await client.end()
}

export async function runOnCitus({ url }: Pick<CitusCluster, 'url'>): Promise<void> {
  say(`Divided by ${(await divideTables(url)).length} statements.`)
  const story = await startStory({ CHARTSIDE_DATABASE_URL: url })
  const sent: Sent = new Map()
  let current = ''
  record(story, sent, () => current)
  try {
    for (const [name, step] of Object.entries(STEPS)) {
      current = name
      await step(story)
      say(`ok   ${name}`)
    }
    say('\npartitions   step         statement')
    await printPartitions(url, sent)
  } finally {
    await story.close()
  }
}
