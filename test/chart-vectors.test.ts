// The published vectors of charts, played by the host's guard and by the SDK: each must do what they say at the
// time that they say, and nothing else. Contract §11; security V40.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Chart,
  type ChartEvent,
  type ChartGuardState,
  decideChart,
  isCoveredByChart,
  newChartGuard,
} from '../packages/host/src/chart-guard.ts'
import { createChartReferences } from '../packages/host/src/chart-references.ts'
import { type ChartEvent as AppEvent, createCharts } from '../packages/sdk/src/charts.ts'

interface Line {
  readonly at_ms: number
  readonly host_sees?: 'ready' | { readonly chart: Chart }
  readonly host_sends?: { readonly type: 'chart'; readonly seq: number; readonly ref: Chart }
  readonly app_listens?: true
  readonly app_gets?: { readonly ref: Chart; readonly previous: Chart }
  readonly app_sends?: { readonly type: 'chart_shown'; readonly seq: number }
  readonly covered?: boolean
}

const file = new URL('../packages/test-kit/vectors/chart.json', import.meta.url)
const { key, app_id, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly key: string
  readonly app_id: string
  readonly vectors: readonly { readonly name: string; readonly lines: readonly Line[] }[]
}

const UI = { policy: 'event', mode: 'guard', kind: 'ui' } as const

/** What the guard sends and covers, in the form of the lines. */
async function playHost(lines: readonly Line[]): Promise<object[]> {
  const references = createChartReferences(key)
  const done: object[] = []
  let state: ChartGuardState | null = null
  let waitsUntil = Number.POSITIVE_INFINITY
  let wasCovered = false
  const apply = async (event: ChartEvent, at_ms: number) => {
    if (!state) return
    const { state: next, effects } = decideChart(state, event, at_ms)
    state = next
    for (const effect of effects) {
      if (effect.type === 'wait') waitsUntil = at_ms + effect.ms
      if (effect.type !== 'send') continue
      const ref = await references.find(app_id, effect.chart)
      done.push({ at_ms, host_sends: { type: 'chart', seq: effect.seq, ref } })
    }
    const covered = isCoveredByChart(state)
    if (covered !== wasCovered) done.push({ at_ms, covered })
    wasCovered = covered
  }
  const wait = async (until: number) => {
    while (waitsUntil <= until) {
      const at = waitsUntil
      waitsUntil = Number.POSITIVE_INFINITY
      await apply({ type: 'waited' }, at)
    }
  }
  for (const { at_ms, host_sees, app_sends } of lines) {
    await wait(at_ms)
    if (host_sees === 'ready') await apply({ type: 'ready' }, at_ms)
    else if (host_sees) {
      if (state) await apply({ type: 'chart_set', chart: host_sees.chart }, at_ms)
      else state = newChartGuard(UI, host_sees.chart)
    }
    if (app_sends) await apply({ type: 'shown', seq: app_sends.seq }, at_ms)
  }
  await wait(Number.MAX_SAFE_INTEGER)
  return done
}

/** What the app gets and the SDK answers; each answer comes once the app's work for it is done. */
async function playSdk(lines: readonly Line[]): Promise<object[]> {
  const done: object[] = []
  const work = new Map<Chart, PromiseWithResolvers<void>>()
  const refs = new Map<number, Chart>()
  const listeners = new Set<(event: AppEvent) => unknown>()
  let at_ms = 0
  const send = (app_sends: object) => done.push({ at_ms, app_sends })
  const page = { requestAnimationFrame: (draw: (time: number) => void) => Number(draw(0)) }
  const charts = createCharts(listeners, send, page, { warn: assert.fail } as never)
  const listen = ({ ref, previous, waitUntil }: AppEvent) => {
    done.push({ at_ms, app_gets: { ref, previous } })
    const one = Promise.withResolvers<void>()
    work.set(ref, one)
    waitUntil(one.promise)
  }
  for (const line of lines) {
    at_ms = line.at_ms
    if (line.host_sends) {
      refs.set(line.host_sends.seq, line.host_sends.ref)
      charts.receive(line.host_sends)
    }
    if (line.app_listens) {
      listeners.add(listen)
      charts.show(listen)
    }
    if (line.app_sends) work.get(refs.get(line.app_sends.seq) ?? null)?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}

const pick = (lines: readonly Line[], ...names: (keyof Line)[]) =>
  lines.filter((line) => names.some((name) => name in line))

for (const { name, lines } of vectors) {
  test(`plays in host and SDK: ${name}`, async () => {
    assert.deepEqual(await playHost(lines), pick(lines, 'host_sends', 'covered'))
    assert.deepEqual(await playSdk(lines), pick(lines, 'app_gets', 'app_sends'))
  })
}

test('fails for a vector that is wrong by one reference, answer or moment', async () => {
  const { lines } = vectors[0] ?? assert.fail()
  const wrong = JSON.parse(JSON.stringify(lines).replace('"at_ms":1250', '"at_ms":1251'))
  assert.notDeepEqual(await playHost(lines), pick(wrong, 'host_sends', 'covered'))
  const silent = lines.filter(({ app_sends }) => app_sends?.seq !== 2)
  assert.notDeepEqual(await playHost(silent), pick(lines, 'host_sends', 'covered'))
  assert.notDeepEqual(await playSdk(silent), pick(lines, 'app_gets', 'app_sends'))
})
