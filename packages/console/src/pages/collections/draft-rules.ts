// What a person can do to a draft, and what a draft would change, in words. Every function answers a new
// draft. An app without a list of EHRs runs on every EHR, also on those that are added later. Pure.
import type { ChartChangePolicy } from '@chartside/protocol/charts'
import type { CollectionContent, EhrDefinition } from '@chartside/protocol/payloads'
import { linesOf } from '../../forms/lines.ts'
import {
  CHART_MODE_WORDS,
  CHART_POLICY_WORDS,
  PANEL_OPENS_WORDS,
  type PanelOpens,
} from './chart-words.ts'

export type DraftApp = CollectionContent['apps'][number]

/** The state of a cell in the table of apps and EHRs. */
export type Cell = 'on' | 'off' | 'added' | 'removed'

export const runsOn = ({ ehrTypes }: DraftApp, ehrType: string): boolean =>
  ehrTypes?.includes(ehrType) ?? true

/** Compared with the published content, if there is one. */
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

function runs({ apps, ehrs }: CollectionContent, appId: string, ehrType: string): boolean {
  const app = apps.find((one) => one.appId === appId)
  return app !== undefined && ehrs.some((ehr) => ehr.ehrType === ehrType) && runsOn(app, ehrType)
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

/** What happens to the app when another chart is opened; relaunch is what happens without it. */
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

/** What is as it is by default is not written. */
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

export interface ChangeLine {
  readonly kind: 'added' | 'removed' | 'same'
  readonly text: string
}

const EMPTY: CollectionContent = { ehrs: [], apps: [] }

/** Describes each change for a provider when `after` is published in place of `before`. */
export function describeChanges(
  before: CollectionContent = EMPTY,
  after: CollectionContent,
  nameOf: (appId: string) => string,
): ChangeLine[] {
  return [
    ...describeEhrs(before, after),
    ...describeApps(before, after, nameOf),
    ...describeStarts(before, after, nameOf),
    ...describeChartPolicies(before, after, nameOf),
  ]
}

function describeEhrs(before: CollectionContent, after: CollectionContent): ChangeLine[] {
  const old = new Map(before.ehrs.map((ehr) => [ehr.ehrType, ehr]))
  const left = before.ehrs.filter(
    ({ ehrType }) => !after.ehrs.some((ehr) => ehr.ehrType === ehrType),
  )
  return [
    ...after.ehrs.flatMap((ehr): ChangeLine[] => {
      const known = old.get(ehr.ehrType)
      const pages = ehr.matches.join(', ')
      if (!known) {
        const found = { kind: 'added', text: `${ehr.name} is recognised at ${pages}` } as const
        return [found, ...describeCharts({ charts: [] }, ehr)]
      }
      const was = known.matches.join(', ')
      return [
        ...(known.name === ehr.name
          ? []
          : [{ kind: 'added', text: `${known.name} is called ${ehr.name}` } as const]),
        ...(was === pages
          ? []
          : [
              { kind: 'removed', text: `${ehr.name} at ${was}` } as const,
              { kind: 'added', text: `${ehr.name} at ${pages}` } as const,
            ]),
        ...describeCharts(known, ehr),
      ]
    }),
    ...left.map(({ name }): ChangeLine => ({ kind: 'removed', text: `${name}, with its apps` })),
  ]
}

function describeCharts(
  before: Pick<EhrDefinition, 'charts' | 'chartMode' | 'panelOpens'>,
  after: EhrDefinition,
): ChangeLine[] {
  const [was = '', is = ''] = [before, after].map(({ charts = [] }) => charts.join(', '))
  const [wasMode = 'guard', mode = 'guard'] = [before.chartMode, after.chartMode]
  const [wasOpened = 'last', opened = 'last'] = [before.panelOpens, after.panelOpens]
  return [
    ...(was === is || was === ''
      ? []
      : [{ kind: 'removed', text: `Charts of ${after.name} at ${was}` } as const]),
    ...(was === is || is === ''
      ? []
      : [{ kind: 'added', text: `Charts of ${after.name} at ${is}` } as const]),
    ...(wasMode === mode
      ? []
      : [{ kind: 'added', text: `${after.name}: ${CHART_MODE_WORDS[mode]}` } as const]),
    ...(wasOpened === opened
      ? []
      : [
          {
            kind: 'added',
            text: `The panel of ${after.name} opens ${PANEL_OPENS_WORDS[opened]}`,
          } as const,
        ]),
  ]
}

function describeChartPolicies(
  before: CollectionContent,
  after: CollectionContent,
  nameOf: (appId: string) => string,
): ChangeLine[] {
  return after.apps.flatMap(({ appId, onChartChange = 'relaunch' }): ChangeLine[] => {
    const known = before.apps.find((app) => app.appId === appId)
    if ((known?.onChartChange ?? 'relaunch') === onChartChange) return []
    const text = `${nameOf(appId)}, when another chart is opened: ${CHART_POLICY_WORDS[onChartChange]}`
    return [{ kind: 'added', text }]
  })
}

function describeApps(
  before: CollectionContent,
  after: CollectionContent,
  nameOf: (appId: string) => string,
): ChangeLine[] {
  const ids = [...new Set([...after.apps, ...before.apps].map(({ appId }) => appId))]
  // An EHR that is gone took its apps with it: one line says so.
  return ids.flatMap((appId) =>
    after.ehrs.flatMap(({ ehrType, name }): ChangeLine[] => {
      const was = runs(before, appId, ehrType)
      const is = runs(after, appId, ehrType)
      if (was === is) return []
      return [{ kind: is ? 'added' : 'removed', text: `${nameOf(appId)} on ${name}` }]
    }),
  )
}

function describeStarts(
  before: CollectionContent,
  after: CollectionContent,
  nameOf: (appId: string) => string,
): ChangeLine[] {
  return after.apps.flatMap(({ appId, autoLaunch }): ChangeLine[] => {
    const known = before.apps.find((app) => app.appId === appId)
    if (!known || known.autoLaunch === autoLaunch) return []
    const how = autoLaunch ? 'opens automatically' : 'opens when the provider chooses it'
    return [{ kind: 'added', text: `${nameOf(appId)} ${how}` }]
  })
}

export interface Runner {
  readonly id: string
  readonly name: string
  readonly collection: { readonly id: string; readonly version: number | 'latest' } | null
}

/** Which accounts a new version reaches at once, and which stay where they are. */
export const listAffected = <R extends Runner>(
  running: readonly R[],
): { readonly following: readonly R[]; readonly pinned: readonly R[] } => ({
  following: running.filter(({ collection }) => collection?.version === 'latest'),
  pinned: running.filter(({ collection }) => collection?.version !== 'latest'),
})
