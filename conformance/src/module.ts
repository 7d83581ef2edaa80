// What a conformance module is, and its verdicts. Types only; module-end.ts has the ways in which one ends
// early.
import type { ModuleContext } from './module-context.ts'

export type Verdict = 'passed' | 'failed' | 'warning' | 'skipped'

export interface ConformanceModule {
  readonly id: string
  readonly title: string
  /** The sections that demand it. */
  readonly source: string
  /** The value `chartside` marks a module about launches, which other services do not have. */
  readonly only?: 'chartside'
  /** The place in the service, its registration or its configuration to look at when it fails. */
  readonly where: string
  run(t: ModuleContext): Promise<void>
}
