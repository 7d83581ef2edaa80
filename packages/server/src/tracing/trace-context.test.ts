// Which headers `traceparent` count, by the rules of W3C Trace Context.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTraceresponse, parseTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('reads the trace and the span of a caller', () => {
  const context = { traceId: TRACE, parentId: SPAN }
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-01`), context)
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-00`), context)
  const later = `cc-${TRACE}-${SPAN}-01-what-the-future-brings`
  assert.deepEqual(parseTraceparent(later), context, 'a later version may have more fields')
})

const BROKEN: Readonly<Record<string, string | readonly string[] | undefined>> = {
  'no header': undefined,
  'an empty one': '',
  'several headers': [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  'several joined headers': `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  'upper case': `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  'a trace of zeros': `00-${'0'.repeat(32)}-${SPAN}-01`,
  'a span of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
  'a fifth field in version 00': `00-${TRACE}-${SPAN}-01-x`,
  'the version that is none': `ff-${TRACE}-${SPAN}-01`,
  'a short trace': `00-${TRACE.slice(1)}-${SPAN}-01`,
  'a line break': `00-${TRACE}-${SPAN}-01\n`,
  'characters that are no digit': `00-${TRACE.replace('4', 'g')}-${SPAN}-01`,
}
for (const [what, header] of Object.entries(BROKEN)) {
  test(`ignores a traceparent with ${what}`, () => {
    assert.equal(parseTraceparent(header), undefined)
  })
}

test('answers with the trace of the caller and the span of the request', () => {
  const answer = formatTraceresponse(TRACE, 'abcdefabcdefabcd')
  assert.equal(answer, `00-${TRACE}-abcdefabcdefabcd-01`)
})
