// The reference model of launches, codes and access tokens: plain data, and for each operation the
// answer that the service must give and what it changes. Knows no HTTP and no SQL. Security F09.

export const CODE_SECONDS = 60
export const LAUNCH_SECONDS = 300
export const TOKEN_SECONDS = 600
/** Of one launch. */
const MAX_TIMES = 20

export interface ModelSession {
  readonly id: string
  isEnded: boolean
}

export interface ModelToken {
  readonly value: string
  readonly launch: ModelLaunch
  readonly expiresAt: number
  isRevoked: boolean
}

export interface ModelLaunch {
  readonly id: string
  readonly launchId: string
  readonly app: number
  readonly session: ModelSession
  expiresAt: number
  /** By its host, or because its app was disabled; for ever. */
  isEnded: boolean
  authorizations: number
  /** The newest code; an earlier one is dead. */
  code: ModelCode | undefined
  redemption: 'none' | 'issued' | 'failed'
  token: ModelToken | undefined
}

export interface ModelCode {
  readonly value: string
  readonly launch: ModelLaunch
  readonly expiresAt: number
}

export interface Model {
  isSignedIn: boolean
  session: ModelSession
  readonly launches: ModelLaunch[]
  readonly codes: ModelCode[]
  readonly tokens: ModelToken[]
}

export const newModel = (sessionId: string): Model => ({
  isSignedIn: true,
  session: { id: sessionId, isEnded: false },
  launches: [],
  codes: [],
  tokens: [],
})

const after = (now: number, seconds: number) => now + seconds * 1000

/** What a launch request answers: a status. */
export const launchAnswer = (model: Model): number =>
  model.isSignedIn ? (model.session.isEnded ? 409 : 201) : 401

export function addLaunch(
  model: Model,
  ids: Pick<ModelLaunch, 'id' | 'launchId'>,
  app: number,
  now: number,
): void {
  const launch: ModelLaunch = {
    ...{ ...ids, app, session: model.session, expiresAt: after(now, LAUNCH_SECONDS) },
    ...{ isEnded: false, authorizations: 0, code: undefined, redemption: 'none', token: undefined },
  }
  model.launches.push(launch)
}

const isOver = ({ isEnded, session }: ModelLaunch) => isEnded || session.isEnded

export function mayAuthorize(launch: ModelLaunch, app: number, now: number): boolean {
  const isOpen =
    !isOver(launch) && launch.redemption === 'none' && launch.authorizations < MAX_TIMES
  return isOpen && launch.app === app && launch.expiresAt > now
}

export function addCode(model: Model, launch: ModelLaunch, value: string, now: number): void {
  launch.expiresAt = after(now, LAUNCH_SECONDS)
  launch.authorizations += 1
  launch.code = { value, launch, expiresAt: after(now, CODE_SECONDS) }
  model.codes.push(launch.code)
}

export type Fault = 'none' | 'wrong redirect URI' | 'wrong secret'

/** What an exchange answers, with its effect on the model except the token of a success. */
export function redeem(code: ModelCode, app: number, fault: Fault, now: number): number {
  const { launch } = code
  const isItsOwn = launch.code === code && launch.app === app
  const isUnspent = launch.redemption === 'none'
  if (fault === 'wrong secret') {
    if (isItsOwn && isUnspent) launch.redemption = 'failed'
    return 401
  }
  if (!isItsOwn) return 400
  if (!isUnspent) {
    if (launch.token) launch.token.isRevoked = true
    return 400
  }
  if (isOver(launch)) return 400
  const isGood = code.expiresAt > now && fault === 'none'
  launch.redemption = isGood ? 'issued' : 'failed'
  return isGood ? 200 : 400
}

/** What an exchange by its own app would answer now; the model stays as it is. */
export function foresee(code: ModelCode, now: number): number {
  const launch = { ...code.launch }
  const same = { ...code, launch }
  if (launch.code === code) launch.code = same
  return redeem(same, launch.app, 'none', now)
}

export function addToken(model: Model, launch: ModelLaunch, value: string, now: number): void {
  launch.token = { value, launch, expiresAt: after(now, TOKEN_SECONDS), isRevoked: false }
  model.tokens.push(launch.token)
}

export const isLive = ({ launch, expiresAt, isRevoked }: ModelToken, now: number): boolean =>
  !isRevoked && expiresAt > now && !isOver(launch)

export function endSession(model: Model): void {
  model.session.isEnded = true
}

export function signOut(model: Model): void {
  model.isSignedIn = false
  endSession(model)
}

/** The app is disabled and enabled again: its launches end, and none comes back. */
export function killApp(model: Model, app: number): void {
  for (const launch of model.launches) if (launch.app === app) launch.isEnded = true
}
