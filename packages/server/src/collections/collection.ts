// Owns the versioned answer to "what runs where": EHR definitions and the apps launched on them,
// and which apps an EHR session gets from a published version. Pure rules. Contract §1 and §4.

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

/** The apps that run on this EHR, in the order of the collection; undefined: it has no such EHR. */
export function decideSessionApps(
  content: CollectionContent,
  ehrType: string,
): readonly CollectionApp[] | undefined {
  if (!content.ehrs.some((ehr) => ehr.ehrType === ehrType)) return undefined
  return content.apps.filter((app) => app.ehrTypes === undefined || app.ehrTypes.includes(ehrType))
}
