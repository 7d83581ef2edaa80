// What the machine offers: cores, pinning, and the processor time and memory of a process (Linux
// /proc). Gives undefined for what the machine does not offer.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Linux counts processor time in ticks of 10 ms wherever Node runs. */
const MICROSECONDS_PER_TICK = 10_000

export const coreCount = availableParallelism()

export const describeMachine = () =>
  `Node.js ${process.version}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${coreCount} core(s)`

/** Why a process cannot be given a core of its own here; undefined when it can. */
export function whyNotPinned(): string | undefined {
  if (coreCount < 2) return 'this machine has one core'
  const probe = spawnSync('taskset', ['-c', '0', 'true'])
  return probe.status === 0 ? undefined : 'taskset is missing or cannot pin to core 0'
}

export const onCore = (core: number): string[] => ['taskset', '-c', String(core)]

/** Processor time that a process has used, all threads, user and system. */
export function cpuMicroseconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command in brackets and may hold spaces; utime is field 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
