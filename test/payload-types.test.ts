// The payload types of packages/protocol are what the schemas of the route table say.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildPayloadTypes, PAYLOADS } from '../scripts/payload-types.ts'

test('packages/protocol has the payload types of the route table', () => {
  const text = readFileSync(new URL(`../${PAYLOADS}`, import.meta.url), 'utf8')
  assert.equal(text, buildPayloadTypes(), `${PAYLOADS} differs: run npm run generate`)
})
