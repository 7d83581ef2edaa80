// The two ways in which a conformance module ends early. module-context.ts throws them and runner.ts turns
// them into a verdict.

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
