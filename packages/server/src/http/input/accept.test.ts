// Who gets a page and who gets JSON. Contract §2.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForPerson } from './accept.ts'

const CHROMIUM =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

for (const accept of [
  ...['text/html', 'TEXT/HTML', 'text/html;charset=utf-8', 'text/plain, text/html;q=0.1', CHROMIUM],
  ...['application/json;q=0.1, text/html', 'application/json;q=0.5,text/html;q=0.5'],
]) {
  test(`a person gets a page: ${accept.slice(0, 50)}`, () => {
    assert.equal(isForPerson(accept), true)
  })
}

for (const accept of [
  ...[undefined, '', '*/*', 'text/*', 'application/json', 'application/problem+json', ',;q=,'],
  ...['application/json, text/html;q=0.9', 'text/html;q=0', 'text/html;q=0, */*', 'text/html;q=x'],
  ...['application/json, text/plain, */*', 'x-text/html', 'text/html-sandboxed'],
]) {
  test(`a program gets JSON: ${accept}`, () => {
    assert.equal(isForPerson(accept), false)
  })
}
