// Verifies an export of a trail with the check of the protocol package: SHA-256 is that of Node.js. The lines are
// written by audit-export-file.ts. Pure. docs/operate/audit.md.
import { type ChainHead, TrailCheck, type Verification } from '@chartside/protocol/audit-trail'
import { sha256 } from './audit.ts'

/** Checks an export line by line; `known` is the end of an earlier one, which must be on this chain. */
export class ExportCheck {
  readonly #check: TrailCheck

  constructor(known?: ChainHead) {
    this.#check = new TrailCheck(known)
  }

  take(text: string): void {
    const steps = this.#check.take(text)
    for (let step = steps.next(); !step.done; ) step = steps.next(sha256(step.value))
  }

  finish(): Verification {
    return this.#check.finish()
  }
}

/** Verifies a complete export. */
export function verifyExport(lines: Iterable<string>, known?: ChainHead): Verification {
  const check = new ExportCheck(known)
  for (const line of lines) check.take(line)
  return check.finish()
}
