// What operators see of a database URL: everything but the password, however it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeUrl, pathOf } from './url.ts'

test('never shows a password, also of an invalid URL', () => {
  const hosts = '127.0.0.1:1,[::1]:2,db.example'
  for (const password of [
    'hunter2',
    'hun@hunter2',
    'hunter2/@',
    '?hunter2#',
    'hunter2:9',
    '%68unter2',
  ]) {
    const url = `postgres://chart:${password}@${hosts}/side?password=hunter2`
    assert.equal(describeUrl(url), `postgres://chart@${hosts}/side`)
  }
  for (const unreadable of ['postgres://chart:hunter2', 'hunter2', 'mysql://a:hunter2@b/c']) {
    assert.doesNotMatch(describeUrl(unreadable), /hunter2/)
  }
  assert.equal(describeUrl('file:data/chartside.db'), 'file:data/chartside.db')
})

test('shows a URL without a password unchanged', () => {
  for (const url of [
    'postgres://db.example:5432/side',
    'postgresql://chart@/side',
    'postgres:///my-endpoint.2',
  ]) {
    assert.equal(describeUrl(url), url)
  }
})

test('reads a path after file:, with or without slashes', () => {
  assert.equal(pathOf('file:data/a.db'), 'data/a.db')
  assert.equal(pathOf('file:///data/a.db'), '/data/a.db')
  assert.equal(pathOf('postgres://db/side'), undefined)
})
