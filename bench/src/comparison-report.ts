// Formats a comparison as a table, and judges the goals that need the peers. Pure, except for the line that
// names the machine.
import {
  type ComparisonResult,
  type ContenderResult,
  type ContenderSummary,
  FIGURES,
  type Figure,
  LAUNCH_SHARE,
  summarize,
} from './comparison-summary.ts'
import { describeMachine, median } from './machine.ts'
import { BARE_SERVER } from './peers.ts'
import { alignColumns } from './report.ts'

export const FIGURE_TITLES: Readonly<Record<Figure, string>> = {
  flow: 'whole flow',
  token: 'token request alone',
  arrival: "a provider's arrival, per launch",
  introspect: 'introspection',
}

export interface Claim {
  readonly goal: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

const ratio = (summary: ContenderSummary | undefined, figure: Figure) =>
  summary?.figures[figure]?.ratio ?? Number.NaN

const isBare = ({ name }: ContenderSummary) => name === BARE_SERVER.name

/** The fastest of its kind; no number where none was measured. */
const best = (among: readonly ContenderSummary[], figure: Figure) =>
  among.length === 0 ? Number.NaN : Math.max(...among.map((one) => ratio(one, figure)))

/** A figure of the service beside that of others, as a multiple of speed; of the floor, as one of cost. */
interface ClaimRule {
  readonly goal: string
  readonly wanted: number
  readonly direction: 'at least' | 'at most'
  readonly unit: '' | ' times'
  readonly measured: number
}

/**
 * The goals that hold on every machine, because both sides are measured in one run: the floor is a bare
 * server that syncs and signs and does nothing else.
 */
export function judgePeers([service, ...others]: readonly ContenderSummary[]): Claim[] {
  const peers = others.filter((one) => !isBare(one))
  const floor = others.find(isBare)
  const synced = peers.filter(({ name }) => /^oidc-provider.*full sync/.test(name))
  const cpu = (figure: Figure) => service?.figures[figure]?.cpu ?? Number.NaN
  const later = service?.figures.flow?.laterCpu ?? Number.NaN
  const flow = ratio(service, 'flow')
  const token = ratio(service, 'token')
  const signature = cpu('flow') * flow
  const rules: readonly ClaimRule[] = [
    atMost('flow, of the bare server', 1.5, ratio(floor, 'flow') / flow),
    atMost('token request, of the bare server', 1.25, ratio(floor, 'token') / token),
    atLeast('flow, beside the fastest peer', 1, flow / best(peers, 'flow')),
    atLeast('flow, beside oidc-provider that syncs', 3, flow / best(synced, 'flow')),
    atLeast('token request, beside the fastest peer', 1.15, token / best(peers, 'token')),
    atMost('a launch of an arrival, of a flow', 0.8, cpu('arrival') / cpu('flow')),
    { ...atLeast('signature, of a flow', 0.43, flow), unit: '' },
    { ...atLeast('signature, of a token request', 0.65, token), unit: '' },
    // 60 and 80 µs where a signature takes 258.
    atMost('what a flow leaves for later, of a signature', 0.23, later / signature),
    atMost('introspection, of a signature', 0.31, 1 / ratio(service, 'introspect')),
  ]
  return rules
    .filter(({ measured }) => Number.isFinite(measured))
    .map(({ goal, wanted, direction, unit, measured }) => ({
      goal,
      wanted: `${direction} ${wanted.toFixed(2)}${unit}`,
      measured: `${measured.toFixed(2)}${unit}`,
      isMet: direction === 'at least' ? measured >= wanted : measured <= wanted,
    }))
}

const atLeast = (goal: string, wanted: number, measured: number): ClaimRule => ({
  ...{ goal, wanted, measured },
  direction: 'at least',
  unit: ' times',
})

const atMost = (goal: string, wanted: number, measured: number): ClaimRule => ({
  ...{ goal, wanted, measured },
  direction: 'at most',
  unit: ' times',
})

export function buildComparisonTable(
  summaries: readonly ContenderSummary[],
  { firstStart }: Pick<ComparisonResult, 'firstStart'>,
): string {
  const rows = summaries.flatMap(({ name, figures }) =>
    Object.entries(figures).map(([figure, found]) => [
      `${name}: ${FIGURE_TITLES[figure as Figure]}`,
      found.ratio.toFixed(3),
      `${found.lowest.toFixed(3)}–${found.highest.toFixed(3)}`,
      found.cpu.toFixed(0),
      found.perSecond.toFixed(0),
      found.p50Ms === undefined ? '' : found.p50Ms.toFixed(1),
      found.p99Ms === undefined ? '' : found.p99Ms.toFixed(1),
    ]),
  )
  const megabytes = (value: number | undefined) => value?.toFixed(0) ?? '?'
  const memory = summaries.map((one) => [
    one.name,
    megabytes(one.idleMegabytes),
    megabytes(one.highestMegabytes),
    String(one.verifiedTokens),
    String(one.thrownOut),
  ])
  const claims = summaries.length > 1 ? judgePeers(summaries) : []
  const bare = summaries.find(isBare)
  return [
    describeMachine(),
    'Every server has all cores, and signs on its thread pool. The fraction is the processor time of an',
    'RSA-2048 signature, divided by that of the operation: medians of the rounds, lowest and highest.',
    'Latency: from the moment a request was due, at half of the highest rate.',
    alignColumns([
      ['', 'fraction', 'spread', 'µs of CPU', 'per second', 'p50 ms', 'p99 ms'],
      ...rows,
    ]),
    alignColumns([
      ['', 'MB idle', 'MB at most', 'ID tokens verified', 'rounds thrown out'],
      ...memory,
    ]),
    `First start of the service: ${megabytes(firstStart.idle)} MB idle, ${megabytes(firstStart.highest)} MB at most.`,
    ...(bare ? [compareWithBare(summaries[0], bare)] : []),
    ...(claims.length > 0
      ? [
          alignColumns([
            ['goal', 'wanted', 'measured', ''],
            ...claims.map(({ goal, wanted, measured, isMet }) => [
              goal,
              wanted,
              measured,
              isMet ? 'met' : 'MISSED',
            ]),
          ]),
        ]
      : []),
  ].join('\n')
}

/**
 * This checkout beside another one: what each operation costs there, in signatures and as a multiple of the
 * bare server, and the other's cost divided by this one's, round by round.
 */
export function buildCheckoutTable(result: ComparisonResult): string {
  const [here, there] = result.contenders
  const summaries = result.contenders.map(summarize)
  const floor = summaries.find(isBare)
  const rows = summaries.flatMap(({ name, figures, highestMegabytes }) =>
    Object.entries(figures).map(([figure, found]) => [
      `${name}: ${FIGURE_TITLES[figure as Figure]}`,
      found.ratio.toFixed(3),
      `${found.lowest.toFixed(3)}–${found.highest.toFixed(3)}`,
      found.cpu.toFixed(0),
      found.laterCpu.toFixed(0),
      (ratio(floor, figure as Figure) / found.ratio).toFixed(2),
      highestMegabytes?.toFixed(0) ?? '?',
    ]),
  )
  const pairs = FIGURES.flatMap((figure) => {
    const factors = here && there ? listFactors(here, there, figure) : []
    if (factors.length === 0) return []
    const shown = [median(factors), Math.min(...factors), Math.max(...factors)]
    return [[FIGURE_TITLES[figure], ...shown.map((factor) => factor.toFixed(3))]]
  })
  return [
    describeMachine(),
    alignColumns([
      ['', 'fraction', 'spread', 'µs of CPU', 'of it later', 'of the floor', 'MB at most'],
      ...rows,
    ]),
    alignColumns([['the other checkout costs, times', 'median', 'lowest', 'highest'], ...pairs]),
  ].join('\n')
}

function listFactors(here: ContenderResult, there: ContenderResult, figure: Figure): number[] {
  const costs = ({ rounds }: ContenderResult) =>
    rounds.map(({ figures, signatureCpu, idleCpu, launches }) => {
      const later = (idleCpu / launches) * LAUNCH_SHARE[figure]
      return ((figures[figure]?.cpu ?? Number.NaN) + later) / signatureCpu
    })
  const ours = costs(here)
  return costs(there)
    .map((cost, round) => cost / (ours[round] ?? Number.NaN))
    .filter((factor) => !Number.isNaN(factor))
}

/** Says how near the service comes to a server without features: of a missed goal, the machine's part and its own. */
function compareWithBare(service: ContenderSummary | undefined, bare: ContenderSummary): string {
  const rows = Object.entries(bare.figures).map(([figure, { ratio: fraction }]) => [
    FIGURE_TITLES[figure as Figure],
    fraction.toFixed(2),
    `${(ratio(service, figure as Figure) / fraction).toFixed(2)} times`,
  ])
  return alignColumns([['', 'bare server', 'the service reaches'], ...rows])
}
