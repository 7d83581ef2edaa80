// The slow writes beside the launches: apps that are registered under load, some of whose secrets
// are retired at once, and the change of the secret of the app that everybody launches. A write that
// got no answer, or 503, promises nothing. Owns no launch.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, api, type RegisteredApp, sendJson } from '../process/story-verbs.ts'
import type { AppFact } from './facts.ts'
import type { World } from './flow.ts'

/** Undefined for what promises nothing: a cut connection or a 503. */
async function tried(world: World, status: number, answering: Promise<Answer>) {
  const answer = await answering.catch(() => undefined)
  if (!answer || answer.status === 503) return undefined
  if (answer.status === status) return answer.body
  world.facts.surprises.push(`apps: ${answer.status} ${answer.text.slice(0, 300)}`)
  return undefined
}

export async function registerUnderLoad(world: World, isToBeRetired: boolean): Promise<void> {
  const { practice, facts } = world
  const { accountId } = practice
  const { redirectUri } = practice.app
  const fields = { accountId, name: 'Under load', launchUrl: redirectUri }
  const body = { ...fields, redirectUris: [redirectUri] }
  const app = await tried(world, 201, api(practice, 'POST', '/api/apps', body))
  if (!app) return
  const path = `/api/apps/${app.id}/secrets`
  const made = await tried(world, 201, api(practice, 'POST', path, {}))
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
  const retired = await tried(world, 204, api(practice, 'DELETE', `${path}/${made.id}`))
  if (retired) fact.secretState = 'retired'
}

/** A node learns within a second what another one wrote; an operator waits a little longer. */
const UNTIL_KNOWN_MS = 1500
const MAX_TRIES = 40

export interface SecretRotation {
  /** Begins to use a second secret, once every node knows it. */
  readonly retiredApp: RegisteredApp
  /** From the answer to DELETE until the last node refused the old secret. */
  readonly refusedAfterMs: number
}

/** Adds a secret, moves the load to it, and retires the first when no request carries it. */
export async function rotateSecret(
  world: World,
  nodeUrls: readonly string[],
  settle: () => Promise<void>,
): Promise<SecretRotation> {
  const retiredApp = world.practice.app
  const path = `/api/apps/${retiredApp.id}/secrets`
  const listed = await insist(() => api(world.practice, 'GET', path), 200)
  const [first] = listed.body.items as { id: string }[]
  const { secret } = (await insist(() => api(world.practice, 'POST', path, {}), 201)).body
  await sleep(UNTIL_KNOWN_MS)
  world.practice = { ...world.practice, app: { ...retiredApp, secret: String(secret) } }
  await settle()
  // A first try that was cut may have retired it: then the second finds nothing.
  await insist(() => api(world.practice, 'DELETE', `${path}/${first?.id}`), 204, 404)
  const began = performance.now()
  for (const nodeUrl of nodeUrls) await insist(() => introspectWith(nodeUrl, retiredApp), 401)
  return { retiredApp, refusedAfterMs: performance.now() - began }
}

/** How a node answers an app that authenticates with this secret. */
export function introspectWith(nodeUrl: string, { clientId, secret }: RegisteredApp) {
  const body = { token: 'at_any', client_id: clientId, client_secret: secret }
  return sendJson(nodeUrl, '/app-auth/introspect', body)
}

/** Asks again until an answer has a wanted status, whatever is broken meanwhile. */
async function insist(ask: () => Promise<Answer>, ...wanted: number[]): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask().catch(() => undefined)
    if (answer && wanted.includes(answer.status)) return answer
    if (tries === MAX_TRIES) throw new Error(`${answer?.status} ${answer?.text}, not ${wanted}`)
    await sleep(100)
  }
}
