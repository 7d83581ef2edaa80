// A PostgreSQL that sorts as a language does, as managed ones are made by default: no list loses its records
// there. The collation C is advice and not checked (docs/operate/operations.md). docs/inside/decisions/0010.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { type Story, startStory } from './story.ts'

let postgres: TestPostgres
let story: Story
let name: string
before(async () => {
  postgres = await startPostgres()
  const url = new URL(await postgres.freshDatabase())
  url.pathname = `${url.pathname}_en`
  name = url.pathname.slice(1)
  await postgres.administer(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en'`,
  )
  story = await startStory({ CHARTSIDE_DATABASE_URL: url.href })
})
after(async () => {
  await story?.close()
  await postgres.administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await postgres.stop()
})

test('shows launches, sessions, sign-ins and events in a collation of a language', async () => {
  const { launchId } = await story.launch()
  assert.ok(launchId)
  for (const list of [
    '/api/launches',
    '/api/sessions',
    '/api/users/me/sign-ins',
    '/api/audit-events',
  ]) {
    const { items, nextCursor } = (await story.api('GET', `${list}?limit=1`)).json()
    assert.equal(items.length, 1, list)
    const rest = (await story.api('GET', `${list}?cursor=${nextCursor ?? items[0].id}`)).json()
    assert.ok(
      rest.items.every(({ id }: { id: string }) => id < items[0].id),
      list,
    )
  }
})
