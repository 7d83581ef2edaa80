// What a conformance module is, its verdicts, and the two ways in which it ends early. Types and
// errors only; module-context.ts throws them and runner.ts turns them into a verdict.
import type { ModuleContext } from './module-context.ts'

export type Verdict = 'passed' | 'failed' | 'warning' | 'skipped'

export interface ConformanceModule {
  readonly id: string
  readonly title: string
  /** The sections that demand it. */
  readonly source: string
  /** `chartside`: the module is about launches, which other services do not have. */
  readonly only?: 'chartside'
  /** Where in the service, its registration or its configuration to look when it fails. */
  readonly where: string
  run(t: ModuleContext): Promise<void>
}

/** The service does not do what the source demands. */
export class ModuleFailed extends Error {
  override readonly name = 'ModuleFailed'
  readonly found: string

  constructor(expectation: string, found: string) {
    super(expectation)
    this.found = found
  }
}

/** The module does not apply here. What it tried before that is the proof. */
export class ModuleSkipped extends Error {
  override readonly name = 'ModuleSkipped'
}
