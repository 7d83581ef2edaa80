// Judges a short measurement against the recorded one. A machine that others use too slows programs down
// more than signatures, so a figure counts as lost only when it has lost against both yardsticks: a
// signature, and the flow of a peer in the same run. Pure; gate-run.ts measures.
import { type ContenderResult, FIGURES, type Figure, summarize } from './comparison-summary.ts'
import { median } from './machine.ts'

/** The bound on a machine that does nothing else. */
export const MAX_LOSS = 0.15

/** The processor time of each yardstick divided by that of the figure. */
export interface Yardsticks {
  readonly signature: number
  readonly peer: number
}

export type GateRatios = Readonly<Partial<Record<Figure, Yardsticks>>>

export interface GateVerdict {
  readonly figure: Figure
  readonly recorded: Yardsticks
  readonly measured: Yardsticks
  /** The part of the recorded ratio that is lost; negative when it became better. */
  readonly losses: Yardsticks
  readonly isLost: boolean
}

const NOTHING: Yardsticks = { signature: 0, peer: 0 }

const forFigures = (build: (figure: Figure) => Yardsticks | undefined): GateRatios =>
  Object.fromEntries(
    FIGURES.flatMap((figure) => {
      const found = build(figure)
      return found ? [[figure, found]] : []
    }),
  )

const rounded = (value: number) => Number(value.toFixed(4))

export function ratiosOf(service: ContenderResult, peer: ContenderResult): GateRatios {
  const { figures } = summarize(service)
  const peerCpu = summarize(peer).figures.flow?.cpu ?? Number.NaN
  return forFigures((figure) => {
    const found = figures[figure]
    return found && { signature: rounded(found.ratio), peer: rounded(peerCpu / found.cpu) }
  })
}

/** Every recorded figure; one that was not measured is lost. */
export function judgeGate(
  recorded: GateRatios,
  measured: GateRatios,
  maxLoss = MAX_LOSS,
): GateVerdict[] {
  return FIGURES.flatMap((figure) => {
    const before = recorded[figure]
    if (before === undefined) return []
    const now = measured[figure] ?? NOTHING
    const losses = {
      signature: 1 - now.signature / before.signature,
      peer: 1 - now.peer / before.peer,
    }
    const isLost = !(losses.signature <= maxLoss || losses.peer <= maxLoss)
    return [{ figure, recorded: before, measured: now, losses, isLost }]
  })
}

/** The better of two measurements of each figure: what disturbs a machine only makes it slower. */
export function bestOf(one: GateRatios, other: GateRatios): GateRatios {
  return forFigures((figure) => {
    const [first, second] = [one[figure], other[figure]]
    if (!first || !second) return first ?? second
    return {
      signature: Math.max(first.signature, second.signature),
      peer: Math.max(first.peer, second.peer),
    }
  })
}

export function medianOfRuns(runs: readonly GateRatios[]): GateRatios {
  return forFigures((figure) => {
    const found = runs.map((run) => run[figure]).filter((one) => one !== undefined)
    if (found.length === 0) return undefined
    return {
      signature: median(found.map(({ signature }) => signature)),
      peer: median(found.map(({ peer }) => peer)),
    }
  })
}
