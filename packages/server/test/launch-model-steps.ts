// The steps of the launch model as values of fast-check: each prints itself, shrinks, and is chosen by its
// weight. Knows no service.
import fc from 'fast-check'
import type { Fault, Model } from './launch-model.ts'

export type StepOf<T> = (model: Model, value: T) => Promise<void>

/** Counted from the newest: what an older one can still do is soon nothing. */
export const pick = <T>(items: readonly T[], n: number): T | undefined =>
  items.at(-1 - (n % (items.length || 1)))

export interface Step {
  toString(): string
  readonly run: (model: Model) => Promise<void>
}
export const step = <T>(name: string, run: StepOf<T>, values: fc.Arbitrary<T>) =>
  values.map(
    (value): Step => ({
      toString: () => `${name}(${fc.stringify(value)})`,
      run: (model) => run(model, value),
    }),
  )
export const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })

export const small = fc.oneof(fc.nat({ max: 1 }), fc.nat({ max: 7 }))
/** 0: another app; it is the own app that gets further. */
export const asApp = fc.nat({ max: 4 })
export const none = fc.constant(null)
export const fault: fc.Arbitrary<Fault> = fc.constantFrom(
  ...(['none', 'none', 'none', 'none', 'wrong redirect URI', 'wrong secret'] as const),
)
