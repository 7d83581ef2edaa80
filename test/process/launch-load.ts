// Keeps a bounded number of launch flows in flight against a real service, and records the facts that
// each answer acknowledges. Records a request without an answer as unknown. Checks nothing; crash and
// stop tests compare the service with these facts.
import assert from 'node:assert/strict'
import {
  api,
  authorize,
  exchange,
  launch,
  type Practice,
  type RegisteredApp,
  registerApp,
  sendJson,
} from './story-verbs.ts'

export interface Redeemed {
  readonly code: string
  readonly accessToken: string
}

/** What was acknowledged, and what was asked and not answered. */
export interface Facts {
  /** 201 received, and nothing else asked of it yet. */
  readonly launches: { readonly id: string; readonly launchId: string }[]
  /** 302 received, not sent to token. */
  readonly unredeemedCodes: string[]
  /** 200 received, not revoked. */
  readonly redeemed: Redeemed[]
  /** Revocation answered with 200. */
  readonly revokedTokens: string[]
  /** Sent to token, connection cut. */
  readonly unknownCodes: string[]
  readonly apps: RegisteredApp[]
  /** 204 received for the retirement of this app's only secret. */
  readonly retired: RegisteredApp[]
  /** Requests of any kind that got no answer. */
  cutRequests: number
  /** Answers that no healthy service gives, in words. */
  readonly surprises: string[]
}

/** Repeatable numbers from 0 to 1 (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Load {
  readonly facts: Facts
  /** Asks for no new flow and waits until every flow in flight has come to its end. */
  stop(): Promise<Facts>
}

const FLOWS_IN_FLIGHT = 15
const HELD = 0.25
const REVOKED = 0.1

/** Starts fifteen loops of launch flows and one that registers and retires apps. */
export function startLoad(practice: Practice, seed: number): Load {
  const facts: Facts = {
    launches: [],
    unredeemedCodes: [],
    redeemed: [],
    revokedTokens: [],
    unknownCodes: [],
    apps: [],
    retired: [],
    cutRequests: 0,
    surprises: [],
  }
  const random = seededNumbers(seed)
  let isStopped = false

  async function loop(step: () => Promise<void>): Promise<void> {
    while (!isStopped) {
      try {
        await step()
      } catch (error) {
        if (error instanceof assert.AssertionError) facts.surprises.push(error.message)
        else facts.cutRequests += 1
        return
      }
    }
  }

  async function flow(): Promise<void> {
    const opened = await launch(practice)
    facts.launches.push(opened)
    const { answer, code } = await authorize(practice, opened.launchId)
    assert.ok(code, `authorize: ${answer.status} ${answer.headers.get('location') ?? answer.text}`)
    if (random() < HELD) {
      facts.unredeemedCodes.push(code)
      return
    }
    const tokens = await exchange(practice, code).catch((error: unknown) => {
      facts.unknownCodes.push(code)
      throw error
    })
    assert.equal(tokens.status, 200, `token: ${tokens.text}`)
    const accessToken = String(tokens.body.access_token)
    if (random() < REVOKED) await revoke(accessToken)
    else facts.redeemed.push({ code, accessToken })
  }

  async function revoke(token: string): Promise<void> {
    const { clientId: client_id, secret: client_secret } = practice.app
    const body = { token, client_id, client_secret }
    const answer = await sendJson(practice.baseUrl, '/app-auth/revoke', body)
    assert.equal(answer.status, 200, `revoke: ${answer.text}`)
    facts.revokedTokens.push(token)
  }

  async function registration(): Promise<void> {
    const app = await registerApp(practice, practice.accountId, 'Under load')
    facts.apps.push(app)
    if (random() < 0.5) return
    const { body } = await api(practice, 'GET', `/api/apps/${app.id}/secrets`)
    const [secret] = body.items as { id: string }[]
    const answer = await api(practice, 'DELETE', `/api/apps/${app.id}/secrets/${secret?.id}`)
    assert.equal(answer.status, 204, `retire: ${answer.text}`)
    facts.retired.push(app)
  }

  const loops = Array.from({ length: FLOWS_IN_FLIGHT }, () => loop(flow))
  loops.push(loop(registration))
  return {
    facts,
    async stop() {
      isStopped = true
      await Promise.all(loops)
      return facts
    },
  }
}
