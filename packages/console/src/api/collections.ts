// The calls about collections: their drafts, their published versions, and which version an account runs.
// Lists carry no content; the single records do.
import type {
  Account,
  Collection,
  CollectionContent,
  CollectionSummary,
  CollectionVersion,
  CollectionVersionSummary,
  Rollout,
} from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = (id: string, rest = '') => `/api/collections/${encodeURIComponent(id)}${rest}`

export const listCollections = (
  accountId?: string,
  cursor?: string,
  options?: CallOptions,
  q?: string,
  sort?: 'name',
) =>
  api.get<Page<CollectionSummary>>(
    withQuery('/api/collections', { accountId, limit: 100, cursor, q, sort }),
    options,
  )

export const createCollection = (accountId: string, name: string) =>
  api.post<Collection>('/api/collections', { accountId, name })

export const loadCollection = (id: string, options?: CallOptions) =>
  api.read<Collection>(pathOf(id), options)

export const saveDraft = (id: string, draft: CollectionContent, ifMatch?: string) =>
  api.patch<Collection>(pathOf(id), { draft }, { ifMatch })

export const listVersions = (id: string, cursor?: string, options?: CallOptions) =>
  api.get<Page<CollectionVersionSummary>>(
    withQuery(pathOf(id, '/versions'), { limit: 50, cursor }),
    options,
  )

export const loadVersion = (id: string, version: number, options?: CallOptions) =>
  api.get<CollectionVersion>(pathOf(id, `/versions/${version}`), options)

export type Audience =
  | 'all'
  | { readonly accountIds: readonly string[] }
  | { readonly share: number }

/** It goes to all after these hours, if as many percent of its launches became ready. */
export interface Widen {
  readonly readyPercent: number
  readonly afterHours: number
}

interface Publication {
  readonly notes: string
  readonly audience: Audience
  readonly widen?: Widen | undefined
}

/** Publishes the draft; `ifMatch` is of the draft that the person has reviewed. */
export const publish = (id: string, { notes, audience, widen }: Publication, ifMatch?: string) =>
  api.post<CollectionVersion>(
    pathOf(id, '/versions'),
    { audience, ...(widen && { widen }), ...(notes === '' ? {} : { notes }) },
    { ifMatch },
  )

/** Gives the newest version to these accounts; to none takes it back, and `kept` leaves it as it is. */
export const giveVersion = (
  id: string,
  version: number,
  change: {
    readonly audience: Audience | 'kept'
    /** With null the version reaches more accounts only by hand. */
    readonly widen?: null
    /** True ends the EHR sessions that show it where it is not given. */
    readonly endSessions?: boolean
  },
) => api.put<CollectionVersion>(pathOf(id, `/versions/${version}/audience`), change)

export const loadRollout = (id: string, options?: CallOptions) =>
  api.get<Rollout>(pathOf(id, '/rollout'), options)

export type VersionChoice = number | 'latest'

/** Chooses a version; with null the account runs nothing. */
export const chooseVersion = (
  accountId: string,
  collection: { readonly id: string; readonly version: VersionChoice } | null,
  ifMatch?: string,
) =>
  api.patch<Account>(`/api/accounts/${encodeURIComponent(accountId)}`, { collection }, { ifMatch })

/** Every account that runs the collection and that the caller sees, for “who is affected”. */
export async function listRunners(id: string, options?: CallOptions): Promise<readonly Account[]> {
  const accounts: Account[] = []
  let cursor: string | null | undefined
  do {
    const query = { collectionId: id, limit: 200, cursor }
    const page = await api.get<Page<Account>>(withQuery('/api/accounts', query), options)
    accounts.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return accounts
}
