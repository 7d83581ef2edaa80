// Which commands the palette offers to a role, and that each leads to a page of that role.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Scope } from '../session/scopes.ts'

/** What the modules read of a browser when they are loaded. */
const BROWSER = {
  localStorage: { getItem: () => null },
  location: { pathname: '/console', search: '' },
  document: { documentElement: { dataset: {} } },
}

let listCommands: typeof import('./commands.ts').listCommands
before(async () => {
  Object.assign(globalThis, BROWSER)
  const { registerPages } = await import('../route/known-pages.ts')
  registerPages((await import('../pages.ts')).PAGES)
  listCommands = (await import('./commands.ts')).listCommands
  // Other tests of this process are on a server.
  for (const name of ['location', 'document']) Reflect.deleteProperty(globalThis, name)
})

const labels = (role: Scope['role'], kind: Scope['kind'] = 'account') =>
  listCommands({ id: 'acc_1', name: 'Lakeside', kind, role }).map(({ label }) => label)

const FIND = ['Find a launch by trace id…', 'Find launches around a time…']
const SEEN = 'What did a person see…'

test('offers each role what it may do, and no more', () => {
  assert.deepEqual(labels('provider'), FIND)
  assert.deepEqual(labels('viewer'), [...FIND, SEEN])
  assert.deepEqual(labels('developer'), [...FIND, 'Register an app…', 'Switch off an app…'])
  assert.deepEqual(labels('admin'), [
    ...[...FIND, SEEN, 'Invite a person…', 'Register an app…'],
    ...['Switch off an app…', 'Stop an app here…'],
  ])
  assert.deepEqual(labels('platform', 'platform'), [
    ...[...FIND, SEEN, 'Add a person…', 'New account…', 'Switch off an app…'],
  ])
  assert.deepEqual(labels('platform_viewer', 'platform'), [...FIND, SEEN])
})
