// What a person can do to a draft. Every function answers a new draft. An app without a list of EHRs runs
// on every EHR, also on those that are added later. Pure.
import type { ChartChangePolicy } from '@chartside/protocol/charts'
import type { CollectionContent, EhrDefinition } from '@chartside/protocol/payloads'
import { linesOf } from '../../forms/lines.ts'
import type { PanelOpens } from '../../parts/chart-words.ts'
import { runs, runsOn } from '../../parts/version-changes.ts'

/** The state of a cell in the table of apps and EHRs. */
export type Cell = 'on' | 'off' | 'added' | 'removed'

/** Compares the cell with the published content, if there is one. */
export function cellOf(
  draft: CollectionContent,
  published: CollectionContent | undefined,
  appId: string,
  ehrType: string,
): Cell {
  const isOn = runs(draft, appId, ehrType)
  if (!published) return isOn ? 'on' : 'off'
  const wasOn = runs(published, appId, ehrType)
  if (isOn) return wasOn ? 'on' : 'added'
  return wasOn ? 'removed' : 'off'
}

/** Switches an app on or off on one EHR. Off on the last EHR leaves it in the draft, on none. */
export function toggle(
  draft: CollectionContent,
  appId: string,
  ehrType: string,
): CollectionContent {
  const all = draft.ehrs.map((ehr) => ehr.ehrType)
  return {
    ...draft,
    apps: draft.apps.map((app) => {
      if (app.appId !== appId) return app
      const { ehrTypes: _, ...rest } = app
      const on = all.filter((one) => (one === ehrType ? !runsOn(app, one) : runsOn(app, one)))
      return on.length === all.length ? rest : { ...rest, ehrTypes: on }
    }),
  }
}

export const addApp = (draft: CollectionContent, appId: string): CollectionContent => ({
  ...draft,
  apps: [...draft.apps, { appId, autoLaunch: true }],
})

export const removeApp = (draft: CollectionContent, appId: string): CollectionContent => ({
  ...draft,
  apps: draft.apps.filter((app) => app.appId !== appId),
})

/** Whether the app opens automatically, or when the provider chooses it. */
export const setAutoLaunch = (
  draft: CollectionContent,
  appId: string,
  autoLaunch: boolean,
): CollectionContent => ({
  ...draft,
  apps: draft.apps.map((app) => (app.appId === appId ? { ...app, autoLaunch } : app)),
})

/** Sets what happens to the app when another chart is opened; the default is relaunch. */
export const setOnChartChange = (
  draft: CollectionContent,
  appId: string,
  policy: ChartChangePolicy,
): CollectionContent => ({
  ...draft,
  apps: draft.apps.map((app) => {
    if (app.appId !== appId) return app
    const { onChartChange: _, ...rest } = app
    return policy === 'relaunch' ? rest : { ...rest, onChartChange: policy }
  }),
})

/** The fields of the dialog of an EHR; several addresses stand on a line each. */
export type EhrFields = {
  readonly name: string
  readonly ehrType: string
  readonly matches: string
  readonly charts: string
  readonly isObserving: boolean
  readonly panelOpens: PanelOpens
}

/** Builds the EHR and leaves out each value that is the default. */
export function ehrOf({ name, ehrType, matches, ...rest }: EhrFields): EhrDefinition {
  const charts = linesOf(rest.charts)
  return {
    ehrType,
    name: name.trim(),
    matches: linesOf(matches),
    ...(charts.length > 0 ? { charts } : {}),
    ...(rest.isObserving ? { chartMode: 'observe' } : {}),
    ...(rest.panelOpens === 'last' ? {} : { panelOpens: rest.panelOpens }),
  }
}

/** Adds an EHR, or replaces the one that `before` names. */
export function putEhr(
  draft: CollectionContent,
  ehr: EhrDefinition,
  before: string | undefined,
): CollectionContent {
  const isKnown = draft.ehrs.some(({ ehrType }) => ehrType === before)
  return {
    ehrs: isKnown
      ? draft.ehrs.map((one) => (one.ehrType === before ? ehr : one))
      : [...draft.ehrs, ehr],
    apps: draft.apps.map((app) =>
      app.ehrTypes && before !== undefined
        ? { ...app, ehrTypes: app.ehrTypes.map((one) => (one === before ? ehr.ehrType : one)) }
        : app,
    ),
  }
}

export const removeEhr = (draft: CollectionContent, ehrType: string): CollectionContent => ({
  ehrs: draft.ehrs.filter((ehr) => ehr.ehrType !== ehrType),
  apps: draft.apps.map((app) =>
    app.ehrTypes ? { ...app, ehrTypes: app.ehrTypes.filter((one) => one !== ehrType) } : app,
  ),
})

export interface Runner {
  readonly id: string
  readonly name: string
  readonly collection: { readonly id: string; readonly version: number | 'latest' } | null
}

/** Lists the accounts that a new version reaches at once, and those that stay where they are. */
export const listAffected = <R extends Runner>(
  running: readonly R[],
): { readonly following: readonly R[]; readonly pinned: readonly R[] } => ({
  following: running.filter(({ collection }) => collection?.version === 'latest'),
  pinned: running.filter(({ collection }) => collection?.version !== 'latest'),
})
