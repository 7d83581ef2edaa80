// How much processor time this process has used, together with the processes it started and has
// seen end, and with those of a browser, which the system does not add up. Linux tells; elsewhere
// only what this process used itself counts.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of /proc in a second: 100 on every architecture that Node.js supports. */
const TICKS_PER_SECOND = 100
const IS_READABLE = process.platform === 'linux'
/** A process of Chromium other than the first one. */
const OF_BROWSER = /[\0 ]--type=/

let browserSeconds = 0
/** Of them what the processes of each browser had used when they were counted last: it may serve several files. */
const counted = new Map<string, number>()

/** Of the processes that {@link countBrowserProcesses} has counted. */
export const browserProcessorSeconds = () => browserSeconds

export function processorSeconds(): number {
  if (IS_READABLE) return readProcess('self').seconds + browserSeconds
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * To be called before a browser of this process is closed: it ends its processes without waiting
 * for them, so that their time would be lost. The time of its first process is not.
 */
export function countBrowserProcesses(): void {
  if (!IS_READABLE) return
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          { name, ...readProcess(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') },
        ]
      } catch {
        // It ended meanwhile.
        return []
      }
    })
  const below = new Set([String(process.pid)])
  /** A process that has ended is in the time of its parent, so only their sum never counts it twice. */
  const sums = new Map<string, number>()
  const browserOf = new Map<string, string>()
  for (const parent of below) {
    for (const one of all) {
      if (one.parent !== parent) continue
      below.add(one.name)
      if (!OF_BROWSER.test(one.command)) continue
      const browser = browserOf.get(parent) ?? parent
      browserOf.set(one.name, browser)
      sums.set(browser, (sums.get(browser) ?? 0) + one.seconds)
    }
  }
  for (const [browser, seconds] of sums) {
    browserSeconds += Math.max(0, seconds - (counted.get(browser) ?? 0))
    counted.set(browser, seconds)
  }
}

/** proc_pid_stat(5): what follows the name in brackets. */
function readProcess(name: string): { readonly parent: string; readonly seconds: number } {
  const text = readFileSync(`/proc/${name}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent = ''] = fields.slice(1)
  // utime, stime, cutime, cstime.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent, seconds: ticks / TICKS_PER_SECOND }
}
