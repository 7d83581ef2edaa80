// What another version of a collection changes for providers, in sentences: which EHRs are recognised, which
// apps open on which of them, how they open. An app without a list of EHRs runs on every EHR. Pure.
import type { CollectionContent, EhrDefinition } from '@chartside/protocol/payloads'
import { CHART_MODE_WORDS, CHART_POLICY_WORDS, PANEL_OPENS_WORDS } from './chart-words.ts'

export type ListedApp = CollectionContent['apps'][number]

export const runsOn = ({ ehrTypes }: ListedApp, ehrType: string): boolean =>
  ehrTypes?.includes(ehrType) ?? true

export function runs({ apps, ehrs }: CollectionContent, appId: string, ehrType: string): boolean {
  const app = apps.find((one) => one.appId === appId)
  return app !== undefined && ehrs.some((ehr) => ehr.ehrType === ehrType) && runsOn(app, ehrType)
}

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
