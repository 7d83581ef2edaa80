// The reference model of what runs where: accounts, apps, collections, versions and sessions as plain
// data, and for each step what the service has to answer. Knows no HTTP and no SQL.

export const EHR_TYPES = ['meadow', 'summit', 'valley'] as const
export type EhrType = (typeof EHR_TYPES)[number]

export interface Draft {
  readonly ehrs: readonly { ehrType: EhrType; name: string; matches: string[] }[]
  readonly apps: readonly { appId: string; autoLaunch: boolean; ehrTypes?: EhrType[] }[]
}

export interface ModelApp {
  readonly id: string
  state: 'enabled' | 'disabled' | 'deleted'
}
export interface ModelCollection {
  readonly id: string
  draft: Draft
  readonly versions: Draft[]
  isDeleted: boolean
}
export interface ModelAccount {
  readonly id: string
  choice: { collection: ModelCollection; version: number | 'latest' } | undefined
  isDeleted: boolean
}
export interface ModelSession {
  readonly id: string
  readonly account: ModelAccount
  readonly appIds: readonly string[]
}

export interface Model {
  readonly apps: ModelApp[]
  readonly collections: ModelCollection[]
  readonly accounts: ModelAccount[]
  readonly sessions: ModelSession[]
}

export const newModel = (): Model => ({ apps: [], collections: [], accounts: [], sessions: [] })

const stateOf = (model: Model, appId: string) => model.apps.find(({ id }) => id === appId)?.state

/** Whether the draft may become a version: every app is there, every EHR that is named too. */
export const isPublishable = (model: Model, { ehrs, apps }: Draft) =>
  apps.every(
    ({ appId, ehrTypes = [] }) =>
      stateOf(model, appId) !== 'deleted' &&
      ehrTypes.every((type) => ehrs.some(({ ehrType }) => ehrType === type)),
  )

export const isInUse = (model: Model, collection: ModelCollection) =>
  model.accounts.some(
    ({ choice, isDeleted }) => !isDeleted && choice?.collection.id === collection.id,
  )

/** What a new session gets: the version and its apps; undefined: the version has no such EHR. */
export function contentFor(
  model: Model,
  { choice }: ModelAccount,
  ehrType: EhrType,
): { version: number | undefined; appIds: string[] } | undefined {
  if (!choice) return { version: undefined, appIds: [] }
  const { versions } = choice.collection
  const version = choice.version === 'latest' ? versions.length : choice.version
  const content = versions[version - 1]
  if (!content?.ehrs.some((ehr) => ehr.ehrType === ehrType)) return undefined
  const appIds = content.apps
    .filter(({ ehrTypes }) => ehrTypes === undefined || ehrTypes.includes(ehrType))
    .map(({ appId }) => appId)
    .filter((appId) => stateOf(model, appId) === 'enabled')
  return { version, appIds }
}

export function launchAnswer(model: Model, session: ModelSession, appId: string): string {
  if (session.account.isDeleted) return 'session_ended'
  const runs = session.appIds.includes(appId) && stateOf(model, appId) === 'enabled'
  return runs ? 'created' : 'app_not_available'
}
