// Hands a run in at a staging environment, as the developer whose key the environment holds. Asks before
// the run whether it would be taken, and says of each refusal what to do. Decision 94.
import type { Run } from '@chartside/protocol/fault-run'
import { findUrlProblem } from '@chartside/protocol/oauth'
import type { FaultRun } from '@chartside/protocol/payloads'
import { RunError } from './app-process.ts'
import type { Options } from './options.ts'

const TIMEOUT_MS = 15_000
const KEY = 'CHARTSIDE_DEVELOPER_KEY'
const TOKEN = 'CHARTSIDE_SESSION_TOKEN'

export interface Intake {
  /** The base URL without a slash at its end. */
  readonly baseUrl: string
  readonly appId: string
  readonly token: string
}

/**
 * Undefined when the run is not to be handed in.
 * @throws RunError for an address without an app, without a token, or to which no token may be sent
 */
export function parseIntake(
  { handIn, appId }: Pick<Options, 'handIn' | 'appId'>,
  env: NodeJS.ProcessEnv,
): Intake | undefined {
  if (handIn === undefined && appId === undefined) return
  if (handIn === undefined || appId === undefined) {
    throw new RunError('--hand-in and --app-id belong together: the service, and the app there.')
  }
  const problem = findUrlProblem(handIn)
  if (problem) throw new RunError(`The address of --hand-in ${problem}.`)
  const token = env[KEY] || env[TOKEN]
  if (!token) {
    throw new RunError(
      `Put a developer key into ${KEY} (console: Settings, Developer keys), or leave out --hand-in.`,
    )
  }
  if (env[KEY] && !token.startsWith('dk_')) {
    throw new RunError(`${KEY} is no developer key (dk_…): the console makes one on Settings.`)
  }
  return { baseUrl: handIn.replace(/\/+$/, ''), appId, token }
}

/**
 * A run takes minutes, so that a refusal comes before it.
 * @throws RunError
 */
export const requireIntake = (intake: Intake): Promise<unknown> => callService(intake)

/** @throws RunError */
export const handInRun = (intake: Intake, run: Run): Promise<FaultRun> => callService(intake, run)

/** It leads each reader to their own account. */
export const pageOfRun = ({ baseUrl, appId }: Intake, { id }: Pick<FaultRun, 'id'>): string =>
  `${baseUrl}/console/apps/${appId}/fault-runs/${id}`

async function callService<Reply>({ baseUrl, appId, token }: Intake, run?: Run): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `${baseUrl}/api/apps/${encodeURIComponent(appId)}/fault-runs`
  const answer = await fetch(address, {
    ...{ headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
    ...(run ? { method: 'POST', body: JSON.stringify(run) } : {}),
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new RunError(`${baseUrl} does not answer (${error.cause?.code ?? error.message}).`)
  })
  const body: unknown = await answer.json().catch(() => ({}))
  if (answer.ok) return body as Reply
  throw new RunError(describeRefusal(baseUrl, answer.status, body as { readonly detail?: string }))
}

const ADVICE: Readonly<Record<number, string>> = {
  401: `Put a developer key of this service into ${KEY}, or the session token of a sign-in that still lasts into ${TOKEN}.`,
  403: 'Only developers and administrators of the account of the app may hand in its runs.',
  404: 'Look at --app-id: it is the App ID (app_…) on the page of the app in that console.',
}

function describeRefusal(
  baseUrl: string,
  status: number,
  { detail }: { readonly detail?: string },
): string {
  const unknown = `Look at --hand-in: it is the base URL of a service of Chartside.`
  return [`${baseUrl} answered ${status}.`, detail ?? unknown, ADVICE[status]]
    .filter((text) => text !== undefined)
    .join(' ')
}
