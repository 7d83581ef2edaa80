// The other writes of a run: registers apps under load, retires some of their secrets, and rotates the
// secret of the app that is launched. A write without an answer, or with 503, acknowledges nothing.
// Never launches.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, api, type RegisteredApp, sendJson } from '../process/story-verbs.ts'
import type { AppFact } from './facts.ts'
import type { LoadContext } from './flow.ts'

/** Undefined for a lost connection or a 503, which acknowledge nothing. */
async function tryOnce(loadContext: LoadContext, status: number, answering: Promise<Answer>) {
  const answer = await answering.catch(() => undefined)
  if (!answer || answer.status === 503) return undefined
  if (answer.status === status) return answer.body
  loadContext.facts.unexpectedAnswers.push(`apps: ${answer.status} ${answer.text.slice(0, 300)}`)
  return undefined
}

export async function registerUnderLoad(
  loadContext: LoadContext,
  isToBeRetired: boolean,
): Promise<void> {
  const { practice, facts } = loadContext
  const { accountId } = practice
  const { redirectUri } = practice.app
  const fields = { accountId, name: 'Under load', launchUrl: redirectUri }
  const body = { ...fields, redirectUris: [redirectUri] }
  const app = await tryOnce(loadContext, 201, api(practice, 'POST', '/api/apps', body))
  if (!app) return
  const path = `/api/apps/${app.id}/secrets`
  const made = await tryOnce(loadContext, 201, api(practice, 'POST', path, {}))
  const [id, clientId] = [String(app.id), String(app.clientId)]
  const secret = String(made?.secret ?? '')
  const fact: AppFact = {
    id,
    clientId,
    secret,
    redirectUri,
    secretState: made ? 'live' : 'unknown',
  }
  facts.apps.push(fact)
  if (!made || !isToBeRetired) return
  fact.secretState = 'unknown'
  const retired = await tryOnce(loadContext, 204, api(practice, 'DELETE', `${path}/${made.id}`))
  if (retired) fact.secretState = 'retired'
}

/** A change reaches every node within one second. */
const PROPAGATION_MS = 1500
const MAX_TRIES = 40

export interface SecretRotation {
  /** The app with the secret that was retired. */
  readonly retiredApp: RegisteredApp
  /** From the answer to DELETE until the last node refused the old secret. */
  readonly refusedAfterMs: number
}

/** Adds a secret, moves the load to it, and retires the first when no request in flight has it. */
export async function rotateSecret(
  loadContext: LoadContext,
  nodeUrls: readonly string[],
  settle: () => Promise<void>,
): Promise<SecretRotation> {
  const retiredApp = loadContext.practice.app
  const path = `/api/apps/${retiredApp.id}/secrets`
  const listed = await retryUntil(() => api(loadContext.practice, 'GET', path), 200)
  const [first] = listed.body.items as { id: string }[]
  const { secret } = (await retryUntil(() => api(loadContext.practice, 'POST', path, {}), 201)).body
  await sleep(PROPAGATION_MS)
  loadContext.practice = { ...loadContext.practice, app: { ...retiredApp, secret: String(secret) } }
  await settle()
  // A first try without an answer may have retired it; the second then gets 404.
  await retryUntil(() => api(loadContext.practice, 'DELETE', `${path}/${first?.id}`), 204, 404)
  const began = performance.now()
  for (const nodeUrl of nodeUrls) await retryUntil(() => introspectWith(nodeUrl, retiredApp), 401)
  return { retiredApp, refusedAfterMs: performance.now() - began }
}

/** The answer of a node to an app that authenticates with this secret. */
export function introspectWith(nodeUrl: string, { clientId, secret }: RegisteredApp) {
  const body = { token: 'at_any', client_id: clientId, client_secret: secret }
  return sendJson(nodeUrl, '/app-auth/introspect', body)
}

/** Repeats the request until its answer has a wanted status. */
async function retryUntil(ask: () => Promise<Answer>, ...wanted: number[]): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask().catch(() => undefined)
    if (answer && wanted.includes(answer.status)) return answer
    if (tries === MAX_TRIES) throw new Error(`${answer?.status} ${answer?.text}, not ${wanted}`)
    await sleep(100)
  }
}
