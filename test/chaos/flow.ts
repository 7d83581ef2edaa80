// One launch flow as a host, a browser and an app's server run it: launch, authorize, exchange, and
// the further requests of its kind. Records each acknowledged answer. A flow that a real user would
// have to restart throws FlowFailed; an unexpected answer is recorded too.
import { requestText } from '../../bench/src/connection.ts'
import { authorizePath, codeOf, type Practice, tokenRequest } from '../process/story-verbs.ts'
import { AlwaysUnavailable, type Call, type Caller, ConnectionLost, type Served } from './caller.ts'
import type { Facts, FlowFact, FlowKind } from './facts.ts'
import type { RelyingParty } from './relying-party.ts'

export interface LoadContext {
  readonly caller: Caller
  readonly relyingParty: RelyingParty
  readonly facts: Facts
  /** Replaced when its secret changes during the run. */
  practice: Practice
}

export class FlowFailed extends Error {
  /** More than the message, which groups failures of one kind. */
  readonly evidence: string
  constructor(message: string, evidence = '') {
    super(message)
    this.evidence = evidence
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  requestText('POST', path, { ...JSON_TYPE, ...headers }, JSON.stringify(body))

export async function runFlow(loadContext: LoadContext, kind: FlowKind): Promise<void> {
  const fact = await launch(loadContext, kind)
  loadContext.facts.flows.push(fact)
  const code = await authorize(loadContext, fact)
  if (kind === 'unredeemed') return
  if (kind === 'raced') await race(loadContext, fact, code)
  else await exchange(loadContext, fact, code)
  if (kind === 'revoked') await revoke(loadContext, fact)
}

async function launch(loadContext: LoadContext, kind: FlowKind): Promise<FlowFact> {
  const { sessionId, sessionToken, app } = loadContext.practice
  const path = `/api/sessions/${sessionId}/launches`
  const headers = { authorization: `Bearer ${sessionToken}` }
  const request = post(path, { appId: app.id, kind: 'ui' }, headers)
  const { answer } = await ask(loadContext, 'launch', { request })
  if (answer.status !== 201) throw unexpectedAnswer(loadContext, 'launch', answer)
  const { id, launchId } = JSON.parse(answer.body)
  return { kind, id, launchId, tokens: [] }
}

async function authorize(loadContext: LoadContext, fact: FlowFact): Promise<string> {
  const request = requestText('GET', authorizePath(loadContext.practice, fact.launchId))
  const { answer, isRepeated } = await ask(loadContext, 'authorize', {
    request,
    isRepeatable: true,
  })
  if (isRepeated) fact.isReauthorized = true
  const code = codeOf(/\r\nlocation: (.*)/i.exec(answer.head)?.[1])
  if (answer.status !== 302 || !code) throw unexpectedAnswer(loadContext, 'authorize', answer)
  fact.code = code
  return code
}

async function exchange(loadContext: LoadContext, fact: FlowFact, code: string): Promise<void> {
  const served = await sendCode(loadContext, fact, code)
  if (served.answer.status === 200) return accept(loadContext, fact, served)
  throw refused(loadContext, fact, served)
}

/** A try whose answer was lost may have redeemed the code, or replaced it by a newer one. */
function refused(loadContext: LoadContext, fact: FlowFact, served: Served): FlowFailed {
  if (!isInvalidGrant(served)) return unexpectedAnswer(loadContext, 'token', served.answer)
  fact.isReplayed = true
  if (served.isRepeated || fact.isReauthorized) {
    return new FlowFailed('token: refused after a try whose answer was lost')
  }
  return unexpectedAnswer(loadContext, 'token', served.answer)
}

async function race(loadContext: LoadContext, fact: FlowFact, code: string): Promise<void> {
  const sendings = [
    sendCode(loadContext, fact, code, true),
    sendCode(loadContext, fact, code, true),
  ]
  const results = await Promise.allSettled(sendings)
  const refusals: Served[] = []
  for (const result of results) {
    if (result.status === 'rejected') continue
    if (result.value.answer.status === 200) await accept(loadContext, fact, result.value)
    else refusals.push(result.value)
  }
  const hasWinner = fact.tokens.length > 0
  const cut = results.find((result) => result.status === 'rejected')
  for (const refusal of refusals) {
    if (!isInvalidGrant(refusal) || !(hasWinner || cut)) throw refused(loadContext, fact, refusal)
    fact.isReplayed = true
  }
  if (!hasWinner && cut) throw cut.reason
}

async function sendCode(
  loadContext: LoadContext,
  fact: FlowFact,
  code: string,
  hasOwnConnection = false,
) {
  const request = post('/app-auth/token', tokenRequest(loadContext.practice, code))
  try {
    return await ask(loadContext, 'token', { request, hasOwnConnection })
  } catch (error) {
    fact.isUnknown = true
    throw error
  }
}

const isInvalidGrant = ({ answer }: Served) =>
  answer.status === 400 && answer.body.includes('"invalid_grant"')

/** Checks the token and its ID token as an app must. */
async function accept(loadContext: LoadContext, fact: FlowFact, { answer }: Served): Promise<void> {
  const { facts, relyingParty, practice } = loadContext
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

async function revoke(loadContext: LoadContext, fact: FlowFact): Promise<void> {
  const [token = ''] = fact.tokens
  const { clientId: client_id, secret: client_secret } = loadContext.practice.app
  const credentials = { token, client_id, client_secret }
  const look = post('/app-auth/introspect', credentials)
  const isActive = async () => {
    const { answer } = await ask(loadContext, 'introspect', { request: look, isRepeatable: true })
    if (answer.status !== 200) throw unexpectedAnswer(loadContext, 'introspect', answer)
    return JSON.parse(answer.body).active === true
  }
  if (!(await isActive())) loadContext.facts.staleReads.push('an acknowledged token was not alive')
  const request = post('/app-auth/revoke', credentials)
  const { answer } = await ask(loadContext, 'revoke', { request, isRepeatable: true })
  if (answer.status !== 200) throw unexpectedAnswer(loadContext, 'revoke', answer)
  fact.isRevoked = true
  if (await isActive()) loadContext.facts.staleReads.push('a revoked token was alive')
}

async function ask(loadContext: LoadContext, step: string, call: Call): Promise<Served> {
  try {
    return await loadContext.caller.call(call)
  } catch (error) {
    if (error instanceof ConnectionLost || error instanceof AlwaysUnavailable) {
      const evidence = error instanceof ConnectionLost ? error.evidence : ''
      throw new FlowFailed(`${step}: ${error.message}`, evidence)
    }
    throw new Error(`${step}: ${error instanceof Error ? error.message : error}`)
  }
}

function unexpectedAnswer(
  loadContext: LoadContext,
  step: string,
  answer: Served['answer'] | undefined,
): FlowFailed {
  const words = `${step}: ${answer?.head.split('\r\n', 1)[0]} ${answer?.body.slice(0, 300)}`
  loadContext.facts.unexpectedAnswers.push(words)
  return new FlowFailed(words)
}
