// Lists that are empty because of the caller's role say so, and tell nothing else: the same answer whether
// something is hidden or not. Contract §16, security P01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { person } from './account-fixture.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
  // The practice runs the collection of the vendor, and owns nothing.
  const { db } = at.node.service
  const { accountId, collectionId } = at.practice
  await db.write(
    sql`UPDATE apps SET deleted_at = 1 WHERE account_id = ${accountId}`,
    sql`UPDATE collections SET deleted_at = 1 WHERE account_id = ${accountId}`,
    sql`UPDATE collections SET account_id = ${at.vendor.accountId}, deleted_at = NULL
      WHERE id = ${collectionId}`,
  )
})
after(() => at.node.close())

const NONE = { items: [], nextCursor: null }
const HIDDEN = { ...NONE, hidden: true }

async function list(token: string, url: string) {
  const answer = await at.call(token, 'GET', url)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

test('says that the apps and the collection which a practice runs are of others', async () => {
  const { accountAdmin, provider, otherAdmin, platformAdmin } = at.practice.people
  const ofPractice = `accountId=${at.practice.accountId}`
  for (const path of ['/api/apps', '/api/collections']) {
    for (const { token } of [accountAdmin, provider]) {
      assert.deepEqual(await list(token, path), HIDDEN, path)
      assert.deepEqual(await list(token, `${path}?${ofPractice}`), HIDDEN, path)
    }
    // An account that runs nothing has none, and who sees every account has nothing hidden.
    assert.deepEqual(await list(otherAdmin.token, path), NONE, path)
    assert.deepEqual(await list(platformAdmin.token, `${path}?${ofPractice}`), NONE, path)
    const ofVendor = await list(at.vendor.people.developer.token, path)
    assert.ok(ofVendor.items.length > 0 && ofVendor.hidden === undefined, path)
  }
  // No search tells what the hidden ones are called.
  for (const q of ['Notes', 'Nothing of this name']) {
    assert.deepEqual(await list(accountAdmin.token, `/api/apps?q=${q}`), HIDDEN)
  }
})

test('shows a vendor no practice that runs its collection, and not whether one does', async () => {
  const { developer, platformAdmin } = at.vendor.people
  const running = (id: string) => `/api/accounts?collectionId=${id}`
  for (const id of [at.practice.collectionId, at.vendor.collectionId, 'col_unknown']) {
    assert.deepEqual(await list(developer.token, running(id)), HIDDEN)
  }
  const ids = async (collectionId: string) =>
    (await list(platformAdmin.token, running(collectionId))).items.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(await ids(at.practice.collectionId), [at.practice.accountId])
  assert.deepEqual(await ids(at.vendor.collectionId), [])
  const { token } = at.practice.people.provider
  const own = await list(token, running(at.practice.collectionId))
  assert.deepEqual([own.items.length, own.hidden], [1, undefined])
})

test('says that sessions and launches of others are hidden, but to an administrator', async () => {
  const outsider = person(at.node, 'member', 'Outsider')
  await at.node.service.db.write(...outsider.statements)
  const { developer, provider, accountAdmin } = at.practice.people
  for (const path of ['/api/sessions', '/api/launches']) {
    assert.deepEqual(await list(provider.token, path), HIDDEN, path)
    assert.deepEqual(await list(developer.token, path), HIDDEN, path)
    assert.deepEqual(await list(accountAdmin.token, path), NONE, path)
    assert.deepEqual(await list(outsider.actor.token, path), NONE, path)
  }
  await at.launch()
  for (const path of ['/api/sessions', '/api/launches']) {
    // The same answer now that there is one; and the end of a list is no empty list.
    assert.deepEqual(await list(developer.token, path), HIDDEN, path)
    const [{ id }] = (await list(provider.token, path)).items
    assert.deepEqual(await list(provider.token, `${path}?cursor=${id}`), NONE, path)
  }
})
