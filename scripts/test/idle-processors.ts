// How many processors of this machine had nothing to do since the last look. Where the machine has
// other processors than this process may use, as in a container, the number is not known.
import { availableParallelism, type CpuInfo, cpus } from 'node:os'

export interface IdleMeter {
  /** Processors that were idle since the last call, such as 0.7; 0 when that is not known. */
  take(): number
}

export function openIdleMeter(
  read: () => readonly Pick<CpuInfo, 'times'>[] = cpus,
  usable: number = availableParallelism(),
): IdleMeter {
  const now = () => {
    const all = read()
    const sum = (pick: (times: CpuInfo['times']) => number) =>
      all.reduce((total, { times }) => total + pick(times), 0)
    return {
      count: all.length,
      idle: sum(({ idle }) => idle),
      total: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    }
  }
  let last = now()
  return {
    take() {
      const { idle, total } = last
      last = now()
      if (last.count !== usable || last.total === total) return 0
      return (last.count * (last.idle - idle)) / (last.total - total)
    },
  }
}
