// The sentences of events: names where they are known, what was refused, and what has no words yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEvent } from './audit-words.ts'

const NAMES: Readonly<Record<string, string>> = {
  usr_1: 'Dana Reyes',
  app_1: 'Visit Notes',
  app_3: "$& $' $1",
}
const describe = (
  actor: string,
  action: string,
  target: string,
  outcome: 'ok' | 'refused' = 'ok',
) => describeEvent({ actor, action, target, outcome }, (id) => NAMES[id])

test('says who did what to what, and what was only tried', () => {
  assert.equal(describe('usr_1', 'patchApp', 'app_1'), 'Dana Reyes changed the app Visit Notes.')
  assert.equal(describe('usr_1', 'patchApp', 'app_3'), "Dana Reyes changed the app $& $' $1.")
  const refused = describe('usr_1', 'patchApp', 'app_1', 'refused')
  assert.equal(refused, 'Dana Reyes tried to change the app Visit Notes.')
  const asked = describe('usr_1', 'addLoginMethod', 'usr_1', 'refused')
  assert.equal(asked, 'Dana Reyes tried to ask for a further way to sign in.')
})

test('keeps an identifier without a name, and an action without words', () => {
  assert.equal(describe('usr_2', 'launch', 'app_2'), 'usr_2 opened the app app_2.')
  assert.equal(describe('usr_1', 'somethingNew', 'app_1'), 'Dana Reyes: somethingNew.')
})

test('names who is no user', () => {
  assert.equal(describe('cli_0', 'revoke', 'app_1').slice(0, 22), 'The server of the app ')
  assert.match(
    describe('nobody', 'signIn', 'unknown', 'refused'),
    /^Someone without a sign-in tried/,
  )
  assert.match(describe('operator', 'backUpDatabase', 'db'), /^An operator of the installation /)
})
