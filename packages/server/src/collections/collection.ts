// Owns the versioned answer to "what runs where": EHR definitions and the apps launched on them,
// what a draft must be to be published, what changed between two versions, and what an EHR session
// gets from one. Pure rules. Contract §1 and §4.
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../kernel/errors.ts'

export interface EhrDefinition {
  readonly ehrType: string
  readonly name: string
  /** URL match patterns of the EHR's pages. */
  readonly matches: readonly string[]
}

export interface CollectionApp {
  readonly appId: string
  /** Absent: on every EHR of the collection. */
  readonly ehrTypes?: readonly string[]
  readonly autoLaunch: boolean
}

export interface CollectionContent {
  readonly ehrs: readonly EhrDefinition[]
  readonly apps: readonly CollectionApp[]
}

export interface Collection {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly description: string
  readonly draft: CollectionContent
  /** 0 until the first version is published. */
  readonly latestVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface CollectionVersion {
  readonly collectionId: string
  readonly version: number
  readonly notes: string
  readonly content: CollectionContent
  readonly publishedBy: string
  readonly publishedAt: number
}

/** What an EHR session gets: the definition of its EHR, and the apps in the collection's order. */
export interface SessionContent {
  readonly ehr: EhrDefinition
  readonly apps: readonly CollectionApp[]
}

/** What a version has for this kind of EHR; undefined: nothing, it has no such EHR. */
export function decideSessionContent(
  content: CollectionContent,
  ehrType: string,
): SessionContent | undefined {
  const ehr = content.ehrs.find((definition) => definition.ehrType === ehrType)
  if (!ehr) return undefined
  const runsHere = ({ ehrTypes }: CollectionApp) => ehrTypes?.includes(ehrType) ?? true
  return { ehr, apps: content.apps.filter(runsHere) }
}

/** Scheme, host and path, as browsers read match patterns of extensions. */
const MATCH_PATTERN = /^(https?|\*):\/\/(\*|(\*\.)?[^/*?#\s]+)\/[^\s#]*$/

/** A draft may be half-done; a version may not. One entry per field. */
export function listContentProblems(
  { ehrs, apps }: CollectionContent,
  isKnownApp: (appId: string) => boolean,
): FieldError[] {
  const types = ehrs.map(({ ehrType }) => ehrType)
  const ids = apps.map(({ appId }) => appId)
  const wrong = (field: string, message: string) => [{ field: `/draft/${field}`, message }]
  return [
    ...ehrs.flatMap(({ ehrType, matches }, i) => [
      ...(types.indexOf(ehrType) < i ? wrong(`ehrs/${i}/ehrType`, 'This EHR is there twice.') : []),
      ...matches.flatMap((pattern, n) =>
        MATCH_PATTERN.test(pattern)
          ? []
          : wrong(`ehrs/${i}/matches/${n}`, 'This is no pattern such as https://ehr.example/*.'),
      ),
    ]),
    ...apps.flatMap(({ appId, ehrTypes = [] }, i) => [
      ...(ids.indexOf(appId) < i ? wrong(`apps/${i}/appId`, 'This app is there twice.') : []),
      ...(isKnownApp(appId) ? [] : wrong(`apps/${i}/appId`, 'There is no such app.')),
      ...ehrTypes.flatMap((type, n) =>
        types.includes(type)
          ? []
          : wrong(`apps/${i}/ehrTypes/${n}`, 'The collection has no EHR of this kind.'),
      ),
    ]),
  ]
}

/** Keys of what came, went and became different. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** What a version changed; `before` is the version before it, if there was one. */
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
  const old = new Map(before.map((item) => [keyOf(item), item]))
  const keys = new Set(after.map(keyOf))
  return {
    added: [...keys].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !keys.has(key)),
    changed: after
      .filter((item) => old.has(keyOf(item)) && !isDeepStrictEqual(old.get(keyOf(item)), item))
      .map(keyOf),
  }
}
