// What the machine offers: cores, pinning, and the processor time and memory of a process (Linux
// /proc). Gives undefined for what the machine does not offer.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Linux counts processor time in ticks of 10 ms wherever Node runs. */
const MICROSECONDS_PER_TICK = 10_000

export const coreCount = availableParallelism()

export const describeMachine = () =>
  `Node.js ${process.version}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${coreCount} core(s)`

/** Returns why a process cannot be given a core of its own here; undefined when it can. */
export function whyNotPinned(): string | undefined {
  if (coreCount < 2) return 'this machine has one core'
  const probe = spawnSync('taskset', ['-c', '0', 'true'])
  return probe.status === 0 ? undefined : 'taskset is missing or cannot pin to core 0'
}

export const onCore = (core: number): string[] => ['taskset', '-c', String(core)]

/** Returns the processor time that a process has used, all threads, user and system. */
export function cpuMicroseconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  return preciseMicroseconds(pid) ?? statMicroseconds(pid)
}

/** Adds up the nanoseconds of all threads, where the kernel counts so; threads that ended are left out. */
function preciseMicroseconds(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const each = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return each.reduce((sum, one) => sum + one, 0) / 1000
  } catch {
    return undefined
  }
}

function statMicroseconds(pid: number): number {
  const { fields } = readStat(pid)
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}

/** The second field is the command in brackets and may hold spaces; `fields` begin after it. */
function readStat(pid: number | string) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return { fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') }
}

/**
 * Returns the processor time of a process and its children, which may end meanwhile: a PostgreSQL with its
 * connections.
 */
export function cpuOfFamily(parent: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const { fields } = readStat(name)
      const isParent = Number(name) === parent
      if (!isParent && Number(fields[1]) !== parent) continue
      // The parent also counts the children that have ended: cutime and cstime.
      const counted = fields.slice(11, isParent ? 15 : 13)
      ticks += counted.reduce((sum, one) => sum + Number(one), 0)
    } catch {
      // It ended between the two reads.
    }
  }
  return ticks * MICROSECONDS_PER_TICK
}

export const parentOf = (pid: number): number => Number(readStat(pid).fields[1])

/** The highest resident memory of a process so far, in MB. */
export function highWaterMegabytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
