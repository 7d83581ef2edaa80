// The words for the one part in which a redirect URI differs from a registered one, and none where several differ.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainRedirectUri } from './redirect-uri-difference.ts'

const REGISTERED = ['https://app.example/callback', 'http://localhost:3000/callback']

const DIFFERENCES: readonly [sent: string, cause: RegExp, fix?: RegExp][] = [
  ['https://app.example/callback/', /in its final slash/],
  ['http://app.example/callback', /in its scheme \(http or https\) only/, /public https address/],
  ['http://127.0.0.1:3000/callback', /in its host only/, /localhost, 127\.0\.0\.1/],
  ['http://localhost:3001/callback', /in its port only/],
  ['https://app.example/Callback', /in its path only/],
  ['https://app.example/callback?tab=1', /in its query only/],
  ['https://app.example/callback#done', /in its fragment only/],
  ['https%3A%2F%2Fapp.example%2Fcallback', /encoded twice/, /Encode it once/],
  ['https://app.example/callback\n', /a space or a line break/],
]

test('names the one part in which a redirect URI differs', () => {
  for (const [sent, cause, fix = /character for character/] of DIFFERENCES) {
    const explained = explainRedirectUri(REGISTERED, sent)
    assert.match(explained?.cause ?? '', cause, sent)
    assert.match(explained?.fix ?? '', fix, sent)
  }
})

test('names no part where several differ or nothing can be compared', () => {
  for (const sent of ['https://other.example:8443/back', 'callback', '', '%', 'null']) {
    assert.equal(explainRedirectUri(REGISTERED, sent), undefined, sent)
  }
})
