// The API of Care Gaps: nothing without the app's own session, and a list for each practice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleIdentity } from '@chartside/test-kit/app'
import { createApi } from '../src/api.ts'

type Identity = typeof sampleIdentity

const request = (path: string, body?: object) =>
  new Request(`http://app.example${path}`, {
    method: body ? 'PUT' : 'GET',
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

test('shows and changes nothing without a session', async () => {
  const api = createApi({ authenticate: async () => undefined })
  const ended = { status: 401, code: 'session_ended' }
  await assert.rejects(async () => api['GET /api/gaps']?.(request('/api/gaps')), ended)
  const change = request('/api/gaps', { id: 'flu', closed: true })
  await assert.rejects(async () => api['PUT /api/gaps']?.(change), ended)
})

test('closes a gap for one practice and opens it again', async () => {
  let identity: Identity = sampleIdentity
  const api = createApi({ authenticate: async () => identity })
  const countClosed = async (accountId: string): Promise<number | undefined> => {
    identity = { ...sampleIdentity, account: { ...sampleIdentity.account, id: accountId } }
    const response = await api['GET /api/gaps']?.(request('/api/gaps'))
    const reply = (await response?.json()) as { gaps: { closed: boolean }[] } | undefined
    return reply?.gaps.filter(({ closed }) => closed).length
  }
  const update = async (id: string, closed: boolean) => {
    identity = { ...sampleIdentity, account: { ...sampleIdentity.account, id: 'acc_1' } }
    await api['PUT /api/gaps']?.(request('/api/gaps', { id, closed }))
  }
  await update('flu', true)
  await update('no-such-gap', true)
  assert.deepEqual([await countClosed('acc_1'), await countClosed('acc_2')], [1, 0])
  await update('flu', false)
  assert.equal(await countClosed('acc_1'), 0)
})
