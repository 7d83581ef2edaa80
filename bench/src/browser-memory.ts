// The memory of a Chromium and of the extension in it (Linux /proc): proportional set size, so that pages
// that processes have in common count once. Undefined where the machine does not offer it.
import { readdirSync, readFileSync } from 'node:fs'

export interface BrowserMemory {
  /** The processes of the extension: background, panel and offscreen document. */
  readonly extensionMegabytes: number
  /** The memory of web pages, the frames of apps among them. */
  readonly pagesMegabytes: number
  readonly totalMegabytes: number
}

export function readBrowserMemory(browserPid: number): BrowserMemory | undefined {
  if (process.platform !== 'linux') return undefined
  const found = listTree(browserPid).map((pid) => ({
    kilobytes: readPss(pid),
    // Chromium separates its arguments by spaces, where others have a zero byte.
    command: read(`/proc/${pid}/cmdline`).split(/[\0 ]/),
  }))
  const sum = (isWanted: (command: readonly string[]) => boolean) =>
    found.filter(({ command }) => isWanted(command)).reduce((all, one) => all + one.kilobytes, 0) /
    1024
  const isRenderer = (command: readonly string[]) => command.includes('--type=renderer')
  const isExtension = (command: readonly string[]) => command.includes('--extension-process')
  return {
    extensionMegabytes: sum((command) => isRenderer(command) && isExtension(command)),
    pagesMegabytes: sum((command) => isRenderer(command) && !isExtension(command)),
    totalMegabytes: sum(() => true),
  }
}

/** The process and all below it. */
function listTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : ''
    const parent = /^ \S+ (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 1))?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const below = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || below(parent))
  }
  return [root, ...[...parents.keys()].filter(below)]
}

const readPss = (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)

/** Reads the file; empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
