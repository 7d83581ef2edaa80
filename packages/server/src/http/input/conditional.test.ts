// Entity tags as RFC 9110 compares them, and the change that lost a race.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { change, etagOf, hasAlready, requireMatch } from './conditional.ts'

const RECORD = { id: 'app_1', name: 'one' }
const tagOf = (record: object) => etagOf(JSON.stringify(record))
const TAG = tagOf(RECORD)

test('a tag is strong and changes with every byte of the record', () => {
  assert.match(TAG, /^"[A-Za-z0-9_-]{22}"$/)
  assert.equal(tagOf({ ...RECORD }), TAG)
  assert.notEqual(tagOf({ ...RECORD, name: 'two' }), TAG)
})

test('If-None-Match takes lists, weak tags and a star', () => {
  for (const header of [TAG, `W/${TAG}`, `"x", ${TAG}`, '*', ' * ']) {
    assert.equal(hasAlready(header, TAG), true, header)
  }
  for (const header of [undefined, '', '"x"', TAG.slice(1, -1)]) {
    assert.equal(hasAlready(header, TAG), false, header)
  }
})

const codeOf = (ifMatch: string | undefined) => {
  try {
    requireMatch(ifMatch, RECORD)
    return 'passes'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    if (error.code === 'precondition_failed') assert.equal(error.headers.etag, TAG)
    return error.code
  }
}

test('If-Match compares strongly, and refuses what is no tag', () => {
  for (const header of [undefined, TAG, '*', `"x",${TAG}`, `${TAG} , "x"`]) {
    assert.equal(codeOf(header), 'passes', header)
  }
  for (const header of ['"x"', `W/${TAG}`, `"x", W/${TAG}`, '""']) {
    assert.equal(codeOf(header), 'precondition_failed', header)
  }
  for (const header of [TAG.slice(1, -1), '', '"', `${TAG}${TAG}x`, '*, "x"']) {
    assert.equal(codeOf(header), 'invalid_request', header)
  }
})

/** A record that other callers change before the first `others` attempts. */
function contended(others: number) {
  let stored = { n: 0, by: '' }
  return {
    load: async () => stored,
    show: (record: object) => record,
    write: async (seen: typeof stored) => {
      if (stored.n < others) stored = { ...stored, n: stored.n + 1 }
      if (seen.n !== stored.n) return undefined
      stored = { n: seen.n + 1, by: 'me' }
      return stored
    },
  }
}

test('retries a change that lost a race; with If-Match it is refused', async () => {
  assert.deepEqual(await change({ ifMatch: undefined, auditNotes: {} }, contended(3)), {
    n: 4,
    by: 'me',
  })
  const ifMatch = tagOf({ n: 0, by: '' })
  await assert.rejects(
    change({ ifMatch, auditNotes: {} }, contended(1)),
    (error) => error instanceof ApiError && error.code === 'precondition_failed',
  )
  assert.deepEqual(await change({ ifMatch, auditNotes: {} }, contended(0)), { n: 1, by: 'me' })
})

test('bounds the retries of a change', async () => {
  await assert.rejects(
    change({ ifMatch: undefined, auditNotes: {} }, contended(1000)),
    (error) => error instanceof ApiError && error.code === 'conflict',
  )
})
