// A practice that uses the app of a vendor: two accounts, so that what each of them sees differs. Owns the
// verbs of a launch between them, and no expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import { createFixture, EHR, type Fixture } from './account-fixture.ts'
import { checkAnswer } from './answer-check.ts'
import { authorizeParameters } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

export interface FixtureLaunch {
  readonly id: string
  readonly launchId: string
  readonly sessionId: string
}

export type PracticeWithVendor = Awaited<ReturnType<typeof startPracticeWithVendor>>

export async function startPracticeWithVendor() {
  const node = await startTestService()
  return usePracticeWithVendor(node)
}

async function usePracticeWithVendor(node: TestService) {
  const practice: Fixture = await createFixture(node)
  const vendor: Fixture = await createFixture(node)

  async function call(
    token: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<LightMyRequestResponse> {
    const headers = { authorization: `Bearer ${token}` }
    const body = payload ? { payload } : {}
    const answer = await node.server.inject({ method, url, headers, ...body })
    checkAnswer(method, url, answer)
    return answer
  }

  async function created(answer: Promise<LightMyRequestResponse>) {
    const { statusCode, body } = await answer
    assert.ok(statusCode < 300, body)
    return JSON.parse(body)
  }

  const admin = practice.people.accountAdmin.token
  const { accountId, collectionId } = practice
  const draft = { ehrs: [EHR], apps: [{ appId: vendor.app.id, autoLaunch: true }] }
  await created(call(admin, 'PATCH', `/api/collections/${collectionId}`, { draft }))
  await created(call(admin, 'POST', `/api/collections/${collectionId}/versions`, {}))
  const collection = { id: collectionId, version: 'latest' }
  await created(call(admin, 'PATCH', `/api/accounts/${accountId}`, { collection }))
  const client = {
    ...{ id: vendor.app.id, clientId: vendor.app.clientId, secret: vendor.secret },
    redirectUri: vendor.app.redirectUris[0] ?? '',
  }

  /** A launch of the vendor's app, in an EHR session of the practice's provider. */
  async function launch(): Promise<FixtureLaunch> {
    node.clock.advance(1)
    const { token } = practice.people.provider
    const opening = { accountId, ehrType: EHR.ehrType, deviceId: 'exam-room-2' }
    const session = await created(call(token, 'POST', '/api/sessions', opening))
    const body = { appId: vendor.app.id, kind: 'ui' }
    const url = `/api/sessions/${session.id}/launches`
    const { id, launchId } = await created(call(token, 'POST', url, body))
    return { id, launchId, sessionId: session.id }
  }

  async function code({ launchId }: FixtureLaunch, scope = 'launch openid'): Promise<string> {
    const url = `/app-auth/authorize?${authorizeParameters(client, launchId, { scope })}`
    const answer = await node.server.inject({ url })
    const location = new URL(String(answer.headers.location))
    return location.searchParams.get('code') ?? assert.fail(answer.body)
  }

  async function exchange(
    launched: FixtureLaunch,
    changes: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const payload = {
      ...{ grant_type: 'authorization_code', code: changes.code ?? (await code(launched)) },
      ...{ client_id: client.clientId, client_secret: client.secret },
      ...changes,
    }
    return node.server.inject({ method: 'POST', url: '/app-auth/token', headers, payload })
  }

  /** The host's reports of a launch that becomes ready. */
  async function report({ id }: FixtureLaunch, ...steps: string[]): Promise<void> {
    for (const step of steps) {
      const body = { step, outcome: 'ok' }
      const { token } = practice.people.provider
      const answer = await call(token, 'POST', `/api/launches/${id}/steps`, body)
      assert.equal(answer.statusCode, 204, answer.body)
    }
  }

  return { node, practice, vendor, call, launch, code, exchange, report }
}
