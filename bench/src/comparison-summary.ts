// Owns what a comparison means: the fraction that a signature is of the processor time of an operation, as
// medians over the rounds with their spread, without the rounds that cannot be true. Pure.
import { median } from './machine.ts'

export const FIGURES = ['flow', 'token', 'arrival', 'introspect'] as const
export type Figure = (typeof FIGURES)[number]

export interface Measured {
  readonly count: number
  readonly perSecond: number
  /** The processor time of the server for each; of an arrival for each of its launches. µs. */
  readonly cpu: number
  /** The part of `cpu` after the last answer, until the server is quiet. µs. */
  readonly laterCpu: number
  /** The milliseconds from the moment when a request was due, at half of the highest rate; of `token` only. */
  readonly p50Ms?: number
  readonly p99Ms?: number
}

/** One server in one round. */
export interface ContenderRound {
  /** The processor time of one signature on the same core, just before and just after. µs. */
  readonly signatureCpu: number
  readonly signaturesPerSecond: number
  readonly figures: Readonly<Partial<Record<Figure, Measured>>>
  readonly launches: number
  readonly verifiedTokens: number
  /** Its processor time while the others were measured; µs. */
  readonly idleCpu: number
}

export interface ContenderResult {
  readonly name: string
  readonly rounds: readonly ContenderRound[]
  readonly idleMegabytes: number | undefined
  readonly highestMegabytes: number | undefined
}

export interface ComparisonResult {
  /** The service first. */
  readonly contenders: readonly ContenderResult[]
  /** The service, after the start that made its keys and its people. */
  readonly firstStart: { readonly idle: number | undefined; readonly highest: number | undefined }
}

export interface FigureSummary {
  /** The processor time of a signature divided by that of the operation: median, lowest and highest. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
  readonly cpu: number
  /** The part of `cpu` that came after the answers: audit chains, above all. µs. */
  readonly laterCpu: number
  readonly perSecond: number
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}

export interface ContenderSummary {
  readonly name: string
  readonly figures: Readonly<Partial<Record<Figure, FigureSummary>>>
  readonly thrownOut: number
  readonly verifiedTokens: number
  readonly idleMegabytes: number | undefined
  readonly highestMegabytes: number | undefined
}

/** The part of the audit events of a launch that each figure writes: a launch has three events. */
export const LAUNCH_SHARE: Readonly<Record<Figure, number>> = {
  flow: 1,
  token: 1 / 3,
  arrival: 1,
  introspect: 0,
}

/** Every flow and every exchange contains a signature, so none can cost less than one. */
export const isPossible = ({ signatureCpu, figures }: ContenderRound): boolean =>
  (['flow', 'token', 'arrival'] as const).every(
    (figure) => figures[figure] === undefined || figures[figure].cpu >= signatureCpu,
  )

/** @throws Error when not one round can be true. */
export function summarize(result: ContenderResult): ContenderSummary {
  const rounds = result.rounds.filter(isPossible)
  if (rounds.length === 0) {
    throw new Error(
      `${result.name}: in every round an operation cost less than the signature it contains. ` +
        'Something else used the core of the signer: run it again on a quieter machine.',
    )
  }
  const figures: Partial<Record<Figure, FigureSummary>> = {}
  for (const figure of FIGURES) {
    const measured = rounds.flatMap((round) => {
      const one = round.figures[figure]
      if (!one) return []
      const idleCpu = (round.idleCpu / round.launches) * LAUNCH_SHARE[figure]
      const cpu = one.cpu + idleCpu
      const laterCpu = one.laterCpu + idleCpu
      return [{ ...one, cpu, laterCpu, ratio: round.signatureCpu / cpu }]
    })
    const of = (take: (one: (typeof measured)[number]) => number | undefined) =>
      measured.map(take).filter((value) => value !== undefined)
    if (measured.length === 0) continue
    const ratios = of(({ ratio }) => ratio)
    const optional = (values: number[]) => (values.length === 0 ? undefined : median(values))
    figures[figure] = {
      ratio: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
      cpu: median(of(({ cpu }) => cpu)),
      laterCpu: median(of(({ laterCpu }) => laterCpu)),
      perSecond: median(of(({ perSecond }) => perSecond)),
      p50Ms: optional(of(({ p50Ms }) => p50Ms)),
      p99Ms: optional(of(({ p99Ms }) => p99Ms)),
    }
  }
  return {
    name: result.name,
    figures,
    thrownOut: result.rounds.length - rounds.length,
    verifiedTokens: result.rounds.reduce((sum, { verifiedTokens }) => sum + verifiedTokens, 0),
    idleMegabytes: result.idleMegabytes,
    highestMegabytes: result.highestMegabytes,
  }
}
