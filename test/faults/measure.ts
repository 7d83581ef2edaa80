// Measures all other callers before, during and after one attack, and decides whether they noticed: their
// p99 stays within twice its quiet value plus 10 ms. Issue 16, "Must show".
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes, type ServiceProcess } from '../process/service-process.ts'
import type { Practice } from '../process/story-verbs.ts'
import type { AttackWork } from './attack-worker.ts'
import { type AttackCounts, startAttack } from './attacker.ts'
import { runLoad, type Times } from './load.ts'

export interface Phases {
  readonly quietSeconds: number
  readonly attackSeconds: number
  readonly perSecond: number
}

export interface Measured {
  readonly quiet: Times
  readonly during: Times
  readonly after: Times
  readonly attacker: AttackCounts
  readonly megabytes: readonly [before: number, highest: number, after: number]
}

export const boundOf = (quietP99: number): number => quietP99 * 2 + 10

/** Answers, and before the attack as well as after it. */
export const isUnnoticed = ({ quiet, during, after }: Measured): boolean =>
  during.p99 <= boundOf(Math.max(quiet.p99, after.p99))

export async function measureUnder(
  service: ServiceProcess,
  practice: Practice,
  work: Omit<AttackWork, 'port' | 'seconds'>,
  { quietSeconds, attackSeconds, perSecond }: Phases,
): Promise<Measured> {
  const quiet = await runLoad(practice, { seconds: quietSeconds, perSecond })
  const before = memoryOf(service)
  const attack = startAttack({ ...work, port: service.port, seconds: attackSeconds })
  // The load begins when the attack has.
  await sleep(200)
  const memory = watchMemory(service)
  const during = await runLoad(practice, { seconds: attackSeconds - 0.4, perSecond })
  const attacker = await attack.ended
  const highest = memory.stop()
  await sleep(300)
  const after = await runLoad(practice, { seconds: quietSeconds, perSecond })
  return { quiet, during, after, attacker, megabytes: [before, highest, memoryOf(service)] }
}

export const memoryOf = ({ pid }: ServiceProcess): number => Math.round(residentMegabytes(pid) ?? 0)

export function watchMemory(service: ServiceProcess): { stop(): number } {
  let highest = 0
  const look = () => {
    highest = Math.max(highest, memoryOf(service))
  }
  look()
  const timer = setInterval(look, 250)
  return {
    stop() {
      clearInterval(timer)
      return highest
    },
  }
}
