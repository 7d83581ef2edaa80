// The properties of everything that parses what others send to a page: the messages of the handshake,
// both ends of it, launch parameters, drafts, addresses. Each has a name for `--only`.
import fc from 'fast-check'
import { type FuzzFailure, type FuzzPart, seedOf } from '../fuzz-failure.ts'
import { endProperties } from './end-properties.ts'
import { pageProperties } from './page-properties.ts'
import { parserProperties } from './parser-properties.ts'

export type Property = fc.IRawProperty<unknown, boolean>

export const MESSAGE_PROPERTIES: Readonly<Record<string, () => Property>> = {
  ...parserProperties,
  ...pageProperties,
  ...endProperties,
}

export async function fuzzMessages({
  seed,
  cases,
  only,
  onProgress,
}: FuzzPart): Promise<FuzzFailure[]> {
  const chosen = Object.entries(MESSAGE_PROPERTIES).filter(
    ([name]) => only === undefined || name === only,
  )
  const failures: FuzzFailure[] = []
  let done = 0
  for (const [i, [name, build]] of chosen.entries()) {
    const numRuns = Math.floor(cases / chosen.length) + (i < cases % chosen.length ? 1 : 0)
    if (numRuns === 0) continue
    const details = await fc.check(build(), { seed: seedOf(seed, name), numRuns })
    done += numRuns
    onProgress?.(name, done)
    if (!details.failed) continue
    const { counterexample, errorInstance } = details
    const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    failures.push({ name, reason, shrunk: fc.stringify(counterexample).slice(0, 4000) })
  }
  return failures
}
