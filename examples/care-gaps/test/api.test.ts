// The API of Care Gaps: nothing without the app's own session, and a list for each practice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppBrowser, launchApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

test('shows and changes nothing without a session', async () => {
  const { app } = await launchApp(startApp)
  assert.equal((await app.send('/api/gaps')).status, 401)
  const change = await app.send('/api/gaps/flu', { closed: true }, {}, 'PUT')
  assert.equal(change.status, 401)
})

test('closes a gap for one practice and opens it again', async () => {
  const { app, launchAgain } = await launchApp(startApp)
  const other = await launchAgain({ account: { id: 'acc_2' } })
  const countClosed = async (at: AppBrowser): Promise<number> => {
    const { gaps } = await at.get<{ gaps: { closed: boolean }[] }>('/api/gaps')
    return gaps.filter(({ closed }) => closed).length
  }
  await app.put('/api/gaps/flu', { closed: true })
  await app.put('/api/gaps/no-such-gap', { closed: true })
  assert.deepEqual([await countClosed(app), await countClosed(other.app)], [1, 0])
  await app.put('/api/gaps/flu', { closed: false })
  assert.equal(await countClosed(app), 0)
})
