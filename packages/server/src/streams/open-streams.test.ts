// How many event streams a session and a user may have on one node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestRefused } from '../http/admission/request-refused.ts'
import { MAX_STREAMS, openStreams } from './open-streams.ts'

test('bounds the streams of a session and of a user; closed ones do not count [V03]', () => {
  const streams = openStreams()
  const ofSession = Array.from({ length: MAX_STREAMS.ofSession }, () => streams.open('s', 'u'))
  assert.throws(() => streams.open('s', 'another user'), RequestRefused)
  for (let i = MAX_STREAMS.ofSession; i < MAX_STREAMS.ofUser; i++) streams.open(`s${i}`, 'u')
  assert.throws(() => streams.open('new session', 'u'), RequestRefused)
  const [close] = ofSession
  close?.()
  close?.()
  streams.open('new session', 'u')
  assert.throws(() => streams.open('newer session', 'u'), RequestRefused)
})

test('allows as many as contract §9 says [V03]', () => {
  assert.deepEqual(MAX_STREAMS, { ofSession: 8, ofUser: 64 })
})
