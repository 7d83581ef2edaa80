// The parsers of the handshake: whatever arrives, they neither throw nor read a getter nor change the
// message; what they accept is plain, bounded and parses to itself. Security X06.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseFailureReport } from '../../../packages/protocol/src/failure-report.ts'
import {
  isAnswer,
  isHello,
  negotiateVersion,
  parseAnswer,
  parseAppMessage,
  parseHello,
  parseHostMessage,
  parseNonce,
} from '../../../packages/protocol/src/handshake.ts'
import { hasRepeatedName } from '../../../packages/protocol/src/json-names.ts'
import { parseEndReason } from '../../../packages/protocol/src/launch.ts'
import {
  buildMatchCode,
  CHALLENGE,
  SESSION_ID,
  VERIFIER,
} from '../../../packages/protocol/src/sign-in.ts'
import { hostileText } from '../hostile-values.ts'
import { message } from './hostile-messages.ts'

/** The longest message that a parser lets through: all fields of a welcome at their bounds. */
const MAX_ACCEPTED_LENGTH = 20_000

const parser = (parse: (data: unknown) => object | null) => () =>
  fc.property(message, (data) => {
    const parsed = parse(data)
    if (parsed === null) return true
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype)
    assert.ok(JSON.stringify(parsed).length < MAX_ACCEPTED_LENGTH, 'a message beyond its bounds')
    assert.deepEqual(parse(parsed), parsed, 'what was parsed does not parse to itself')
    assert.equal(({} as Record<string, unknown>).role, undefined, 'a polluted prototype')
    return true
  })

const json = fc.json({ maxDepth: 5 })

export const parserProperties = {
  parseHello: parser(parseHello),
  parseAnswer: parser(parseAnswer),
  parseAppMessage: parser(parseAppMessage),
  parseHostMessage: parser(parseHostMessage),
  parseFailureReport: parser(parseFailureReport),
  windowMessageTypes: () =>
    fc.property(message, (data) => {
      assert.equal(typeof isHello(data), 'boolean')
      assert.equal(typeof isAnswer(data), 'boolean')
      const nonce = parseNonce(data)
      assert.ok(nonce === null || (nonce !== '' && nonce.length <= 128))
      const reason = parseEndReason(data)
      assert.ok(reason === null || reason === data)
      return true
    }),
  negotiateVersion: () =>
    fc.property(fc.array(fc.nat(5)), fc.array(fc.nat(5)), (ours, theirs) => {
      const version = negotiateVersion(ours, theirs)
      const both = ours.filter((one) => theirs.includes(one))
      assert.equal(version, both.length === 0 ? null : Math.max(...both))
      return true
    }),
  repeatedNames: () =>
    fc.property(json, fc.nat(), (text, at) => {
      assert.equal(hasRepeatedName(text), false, 'JSON.stringify repeats no name')
      const objects = [...text.matchAll(/\{("(?:[^"\\]|\\.)*"):/g)]
      const found = objects[at % Math.max(1, objects.length)]
      if (!found) return true
      const [, name = ''] = found
      const doubled = `${text.slice(0, found.index + 1)}${name}:1,${text.slice(found.index + 1)}`
      // A text that looks like an object inside a string stays a string.
      const isInString = !isJson(doubled) || countNames(doubled) === countNames(text)
      assert.ok(isInString || hasRepeatedName(doubled), doubled)
      return true
    }),
  signInValues: () =>
    fc.property(hostileText, (text) => {
      for (const pattern of [SESSION_ID, VERIFIER, CHALLENGE]) {
        if (pattern.test(text)) assert.ok(text.length <= 128 && /^[\w.~-]+$/.test(text))
      }
      if (CHALLENGE.test(text))
        assert.match(buildMatchCode(text), /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
      return true
    }),
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Members of all objects, a repeated one once. */
function countNames(text: string): number {
  let count = 0
  JSON.parse(text, (_name, value) => {
    count += 1
    return value
  })
  return count
}
