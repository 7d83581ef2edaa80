// How much a second of this processor is worth now. Beside other guests of its host a machine needs more processor
// time for the same work, so a limit in seconds holds only together with the time of a known piece of work.
import { spawnSync } from 'node:child_process'
import { processorSeconds } from './processor-time.ts'

/** Of a start of Node.js on a machine that does nothing else, where the limit of the first tier was set. */
const START_SECONDS = 0.094
const STARTS = 10

/** Beyond it the machine is another one, and not a busy one. */
const MAX_SLOWNESS = 1.5

/**
 * 1 on that machine; 1.5 at most, where the same starts take half as long again or more. A start does
 * what tests do: it makes a process, takes memory and compiles. A signature would miss a slow memory.
 */
export function measureSlowness(): number {
  const before = processorSeconds()
  for (let count = 0; count < STARTS; count++) spawnSync(process.execPath, ['-e', '0'])
  const slowness = (processorSeconds() - before) / STARTS / START_SECONDS
  return Math.min(MAX_SLOWNESS, Math.max(1, slowness))
}
