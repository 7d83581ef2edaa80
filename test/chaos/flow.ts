// One launch flow as a host, a browser and an app's server run it: launch, authorize, exchange, and
// what its kind adds. Writes down what each answer promises. A flow that a real user would have to
// begin anew ends in FlowFailed; an answer that no healthy service gives is a surprise besides.
import { requestText } from '../../bench/src/connection.ts'
import { authorizePath, codeOf, type Practice, tokenRequest } from '../process/story-verbs.ts'
import { type Call, type Caller, CutOff, NeverServed, type Served } from './caller.ts'
import type { Facts, FlowFact, FlowKind } from './facts.ts'
import type { RelyingParty } from './relying-party.ts'

export interface World {
  readonly caller: Caller
  readonly relyingParty: RelyingParty
  readonly facts: Facts
  /** Its secret changes during the run. */
  practice: Practice
}

export class FlowFailed extends Error {}

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  requestText('POST', path, { ...JSON_TYPE, ...headers }, JSON.stringify(body))

export async function runFlow(world: World, kind: FlowKind): Promise<void> {
  const fact = await launch(world, kind)
  world.facts.flows.push(fact)
  const code = await authorize(world, fact)
  if (kind === 'held') return
  if (kind === 'raced') await race(world, fact, code)
  else await exchange(world, fact, code)
  if (kind === 'revoked') await revoke(world, fact)
}

async function launch(world: World, kind: FlowKind): Promise<FlowFact> {
  const { sessionId, sessionToken, app } = world.practice
  const path = `/api/sessions/${sessionId}/launches`
  const headers = { authorization: `Bearer ${sessionToken}` }
  const request = post(path, { appId: app.id, kind: 'ui' }, headers)
  const { answer } = await ask(world, 'launch', { request })
  if (answer.status !== 201) throw surprise(world, 'launch', answer)
  const { id, launchId } = JSON.parse(answer.body)
  return { kind, id, launchId, tokens: [] }
}

async function authorize(world: World, fact: FlowFact): Promise<string> {
  const request = requestText('GET', authorizePath(world.practice, fact.launchId))
  const { answer, isRepeated } = await ask(world, 'authorize', { request, isRepeatable: true })
  if (isRepeated) fact.isReauthorized = true
  const code = codeOf(/\r\nlocation: (.*)/i.exec(answer.head)?.[1])
  if (answer.status !== 302 || !code) throw surprise(world, 'authorize', answer)
  fact.code = code
  return code
}

async function exchange(world: World, fact: FlowFact, code: string): Promise<void> {
  const served = await sendCode(world, fact, code)
  if (served.answer.status === 200) return accept(world, fact, served)
  throw refused(world, fact, served)
}

/** A code may be spent, or replaced by a newer one, in a try whose answer was lost. */
function refused(world: World, fact: FlowFact, served: Served): FlowFailed {
  if (!isInvalidGrant(served)) return surprise(world, 'token', served.answer)
  fact.isReplayed = true
  if (served.isRepeated || fact.isReauthorized) {
    return new FlowFailed('token: refused after a try whose answer was lost')
  }
  return surprise(world, 'token', served.answer)
}

async function race(world: World, fact: FlowFact, code: string): Promise<void> {
  const sendings = [sendCode(world, fact, code, true), sendCode(world, fact, code, true)]
  const results = await Promise.allSettled(sendings)
  const refusals: Served[] = []
  for (const result of results) {
    if (result.status === 'rejected') continue
    if (result.value.answer.status === 200) await accept(world, fact, result.value)
    else refusals.push(result.value)
  }
  const hasWinner = fact.tokens.length > 0
  const cut = results.find((result) => result.status === 'rejected')
  for (const refusal of refusals) {
    if (!isInvalidGrant(refusal) || !(hasWinner || cut)) throw refused(world, fact, refusal)
    fact.isReplayed = true
  }
  if (!hasWinner && cut) throw cut.reason
}

async function sendCode(world: World, fact: FlowFact, code: string, isAlone = false) {
  const request = post('/app-auth/token', tokenRequest(world.practice, code))
  try {
    return await ask(world, 'token', { request, isAlone })
  } catch (error) {
    fact.isUnknown = true
    throw error
  }
}

const isInvalidGrant = ({ answer }: Served) =>
  answer.status === 400 && answer.body.includes('"invalid_grant"')

/** Holds the token and its ID token against what an app must check. */
async function accept(world: World, fact: FlowFact, { answer }: Served): Promise<void> {
  const { facts, relyingParty, practice } = world
  const { launchId } = fact
  const { access_token: token, id_token: idToken } = JSON.parse(answer.body)
  fact.tokens.push(String(token))
  facts.idTokens += 1
  try {
    const audience = practice.app.clientId
    const kid = await relyingParty.verify(String(idToken), { audience, launchId })
    facts.lastOfKey.set(kid, { idToken: String(idToken), launchId })
  } catch (error) {
    facts.badIdTokens.push(String(error))
  }
}

async function revoke(world: World, fact: FlowFact): Promise<void> {
  const [token = ''] = fact.tokens
  const { clientId: client_id, secret: client_secret } = world.practice.app
  const credentials = { token, client_id, client_secret }
  const look = post('/app-auth/introspect', credentials)
  const isActive = async () => {
    const { answer } = await ask(world, 'introspect', { request: look, isRepeatable: true })
    if (answer.status !== 200) throw surprise(world, 'introspect', answer)
    return JSON.parse(answer.body).active === true
  }
  if (!(await isActive())) world.facts.staleReads.push('an acknowledged token was not alive')
  const request = post('/app-auth/revoke', credentials)
  const { answer } = await ask(world, 'revoke', { request, isRepeatable: true })
  if (answer.status !== 200) throw surprise(world, 'revoke', answer)
  fact.isRevoked = true
  if (await isActive()) world.facts.staleReads.push('a revoked token was alive')
}

async function ask(world: World, step: string, call: Call): Promise<Served> {
  try {
    return await world.caller.call(call)
  } catch (error) {
    if (error instanceof CutOff || error instanceof NeverServed) {
      throw new FlowFailed(`${step}: ${error.message}`)
    }
    throw new Error(`${step}: ${error instanceof Error ? error.message : error}`)
  }
}

function surprise(world: World, step: string, answer: Served['answer'] | undefined): FlowFailed {
  const words = `${step}: ${answer?.head.split('\r\n', 1)[0]} ${answer?.body.slice(0, 300)}`
  world.facts.surprises.push(words)
  return new FlowFailed(words)
}
