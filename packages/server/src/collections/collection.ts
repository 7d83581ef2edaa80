// Owns what a collection is: EHR definitions, and the apps that run on them. Decides whether a draft
// can be published, what changed between two versions, and which content an EHR session gets. Pure
// rules. Contract §1 and §4.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type ChartChangePolicy,
  type ChartMode,
  findChartPatternProblem,
} from '@chartside/protocol/charts'
import { ApiError, type FieldError } from '../kernel/errors.ts'
import { findMatchPatternProblem } from './match-pattern.ts'

export interface EhrDefinition {
  readonly ehrType: string
  readonly name: string
  /** The URL match patterns of the EHR's pages. */
  readonly matches: readonly string[]
  /** The URLPattern strings that find the chart in an address. Without them chart changes are not noticed. */
  readonly charts?: readonly string[]
  /** The mode; guard when absent. */
  readonly chartMode?: ChartMode
  /** The app with which the panel of a chart opens. The default is last. */
  readonly panelOpens?: 'first' | 'last' | 'ask'
}

export interface CollectionApp {
  readonly appId: string
  /** The EHR types; when absent, every EHR of the collection. */
  readonly ehrTypes?: readonly string[]
  readonly autoLaunch: boolean
  /** The policy; relaunch when absent. */
  readonly onChartChange?: ChartChangePolicy
}

export interface CollectionContent {
  readonly ehrs: readonly EhrDefinition[]
  readonly apps: readonly CollectionApp[]
}

/** A list shows the collection without its draft. */
export interface CollectionSummary {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly description: string
  /** The version is 0 until the first one is published. */
  readonly latestVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Collection extends CollectionSummary {
  readonly draft: CollectionContent
}

/** A list shows the version without its content. */
export interface VersionSummary {
  readonly collectionId: string
  readonly version: number
  readonly notes: string
  readonly publishedBy: string
  readonly publishedAt: number
  /** The accounts that it is given to, among those that follow the latest version; undefined: all of them. */
  readonly audience: readonly string[] | undefined
  /** The time at which the audience was set. */
  readonly givenAt: number
  /** The widening; when undefined, a person gives it to further accounts. */
  readonly widening: Widening | undefined
}

/** A version that some accounts have goes to all of them by itself, while its launches become ready. Decision 89. */
export interface Widening {
  /** The version goes to all at this time at the earliest. */
  readonly at: number
  /** The percentage that must be ready, among its launches that became ready or failed. */
  readonly readyPercent: number
  readonly stopped?: { readonly at: number; readonly ready: number; readonly failed: number }
}

/** An audience names at most so many accounts. */
export const MAX_AUDIENCE = 2000

export type AudienceChoice =
  | 'all'
  /** The audience stays as it is. */
  | 'kept'
  | { readonly accountIds: readonly string[] }
  | { readonly share: number }

/**
 * The accounts of a choice, of those that follow the latest version; undefined: all of them. A larger share has
 * every account of a smaller one, so that a rollout only grows.
 * @throws ApiError invalid_request
 */
export function decideAudience(
  choice: Exclude<AudienceChoice, 'kept'>,
  collectionId: string,
  followers: readonly string[],
): readonly string[] | undefined {
  if (choice === 'all') return undefined
  if ('share' in choice) {
    const orderOf = (id: string) => hash('sha256', `${collectionId} ${id}`)
    const count = Math.ceil((followers.length * choice.share) / 100)
    return followers
      .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
      .slice(0, Math.min(count, MAX_AUDIENCE))
  }
  const known = new Set(followers)
  const problems = choice.accountIds.flatMap((id, n) =>
    known.has(id)
      ? []
      : [
          {
            field: `/audience/accountIds/${n}`,
            message: 'This account does not follow the latest version of the collection.',
          },
        ],
  )
  if (problems.length === 0) return [...new Set(choice.accountIds)]
  throw new ApiError('invalid_request', 'The version cannot be given to these accounts.', problems)
}

const HOUR_MS = 3_600_000

/** @throws ApiError invalid_request */
export function planWidening(
  { readyPercent, afterHours }: { readonly readyPercent: number; readonly afterHours: number },
  audience: readonly string[] | undefined,
  now: number,
): Widening {
  if (audience && audience.length > 0) return { at: now + afterHours * HOUR_MS, readyPercent }
  throw new ApiError('invalid_request', 'The version cannot be given to all later.', [
    { field: '/widen', message: 'Give it to some accounts first: they show how it does.' },
  ])
}

export interface CollectionVersion extends VersionSummary {
  readonly content: CollectionContent
}

/** The definition of one EHR, and its apps in the order of the collection. */
export interface SessionContent {
  readonly ehr: EhrDefinition
  readonly apps: readonly CollectionApp[]
}

/** The content of a version for this EHR type; undefined when the version has no such EHR. */
export function decideSessionContent(
  content: CollectionContent,
  ehrType: string,
): SessionContent | undefined {
  const ehr = content.ehrs.find((definition) => definition.ehrType === ehrType)
  if (!ehr) return undefined
  const runsHere = ({ ehrTypes }: CollectionApp) => ehrTypes?.includes(ehrType) ?? true
  return { ehr, apps: content.apps.filter(runsHere) }
}

/** The patterns of a draft that no browser could use, that name no host, or that find no chart. */
export function listPatternProblems({ ehrs }: Pick<CollectionContent, 'ehrs'>): FieldError[] {
  const listOf = (
    field: string,
    patterns: readonly string[],
    find: (pattern: string) => string | undefined,
  ) =>
    patterns.flatMap((pattern, n) => {
      const message = find(pattern)
      return message ? [{ field: `/draft/${field}/${n}`, message }] : []
    })
  return ehrs.flatMap(({ matches, charts = [] }, i) => [
    ...listOf(`ehrs/${i}/matches`, matches, findMatchPatternProblem),
    ...listOf(`ehrs/${i}/charts`, charts, findChartPatternProblem),
  ])
}

/** Lists why the draft cannot be published, one entry per field. A draft may be incomplete. */
export function listContentProblems(
  { ehrs, apps }: CollectionContent,
  isKnownApp: (appId: string) => boolean,
): FieldError[] {
  const types = ehrs.map(({ ehrType }) => ehrType)
  const ids = apps.map(({ appId }) => appId)
  const wrong = (field: string, message: string) => [{ field: `/draft/${field}`, message }]
  return [
    ...ehrs.flatMap(({ ehrType }, i) =>
      types.indexOf(ehrType) < i
        ? wrong(`ehrs/${i}/ehrType`, 'This EHR type is listed twice.')
        : [],
    ),
    ...listPatternProblems({ ehrs }),
    ...apps.flatMap(({ appId, ehrTypes = [] }, i) => [
      ...(ids.indexOf(appId) < i ? wrong(`apps/${i}/appId`, 'This app is listed twice.') : []),
      ...(isKnownApp(appId) ? [] : wrong(`apps/${i}/appId`, 'There is no such app.')),
      ...ehrTypes.flatMap((type, n) =>
        types.includes(type)
          ? []
          : wrong(`apps/${i}/ehrTypes/${n}`, 'The collection has no EHR of this type.'),
      ),
    ]),
  ]
}

/** The keys of the items of each kind. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** The changes of a version; `before` is the previous version, if there is one. */
export function buildChanges(
  before: CollectionContent | undefined,
  after: CollectionContent,
): { readonly ehrs: Difference; readonly apps: Difference } {
  return {
    ehrs: buildDifference(before?.ehrs ?? [], after.ehrs, ({ ehrType }) => ehrType),
    apps: buildDifference(before?.apps ?? [], after.apps, ({ appId }) => appId),
  }
}

function buildDifference<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): Difference {
  const previous = new Map(before.map((item) => [keyOf(item), item]))
  const keys = new Set(after.map(keyOf))
  return {
    added: [...keys].filter((key) => !previous.has(key)),
    removed: [...previous.keys()].filter((key) => !keys.has(key)),
    changed: after
      .filter(
        (item) => previous.has(keyOf(item)) && !isDeepStrictEqual(previous.get(keyOf(item)), item),
      )
      .map(keyOf),
  }
}
