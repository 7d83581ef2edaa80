// A message to the parent is one line for every reader of lines, whatever the title of a test holds.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { formatMessage, type TestMessage } from './test-message.ts'

test('a title with separators of lines arrives whole', async () => {
  const message: TestMessage = { type: 'test began', title: 'a\u2028b\u2029c\r\nd' }
  const lines: string[] = []
  const reader = createInterface({ input: Readable.from([formatMessage(message)]) })
  reader.on('line', (line) => lines.push(line))
  await once(reader, 'close')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [message],
  )
})
