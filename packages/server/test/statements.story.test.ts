// What a launch costs the database, step by step: docs/operate/scaling.md multiplies these numbers, so they
// are held to what happens. A read or a write is one round trip on PostgreSQL.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Database } from '../src/db/database.ts'
import { authorize, exchange, isActive, type Story, startStory } from './story.ts'

let story: Story
const counted = { reads: 0, writes: 0 }
before(async () => {
  story = await startStory()
  const db = story.service.service.db as { -readonly [K in keyof Database]: Database[K] }
  const { read, write } = db
  // Notifications to other nodes leave a moment later, many with one read and at most one write.
  db.read = (statement) => {
    if (!statement.sql.includes('session_subscriptions')) counted.reads += 1
    return read(statement)
  }
  db.write = (...statements) => {
    if (!statements.every(({ sql }) => sql.includes('session_notifications'))) counted.writes += 1
    return write(...statements)
  }
})
after(() => story.close())

async function count(step: () => Promise<unknown>): Promise<{ reads: number; writes: number }> {
  Object.assign(counted, { reads: 0, writes: 0 })
  await step()
  return { ...counted }
}

test('docs/operate/scaling.md names the number of statements of a launch', async () => {
  // The first launch of a minute also notes that the sign-in and the secret are in use.
  const first = await story.launch()
  const { id } = first
  let { launchId } = first
  let code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const token = (await exchange(story, code)).json().access_token
  await isActive(story, token)

  const measured = {
    launch: await count(async () => {
      launchId = (await story.launch()).launchId
    }),
    authorize: await count(async () => {
      code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    }),
    token: await count(() => exchange(story, code)),
    introspect: await count(() => isActive(story, token)),
    'host step': await count(() =>
      story.api('POST', `/api/launches/${id}/steps`, { step: 'context', outcome: 'ok' }),
    ),
    jwks: await count(() => story.request({ url: '/app-auth/.well-known/jwks.json' })),
  }
  const document = readFileSync(
    new URL('../../../docs/operate/scaling.md', import.meta.url),
    'utf8',
  )
  for (const [step, { reads, writes }] of Object.entries(measured)) {
    const line = document.split('\n').find((text) => text.startsWith(`| ${step} |`)) ?? ''
    const [, , docReads, docWrites] = line.split('|').map((cell) => cell.trim())
    assert.deepEqual([docReads, docWrites], [String(reads), String(writes)], step)
  }
})
