// Finds a virtual display for tests of what the browser asks outside of any page, or gets one from Debian's
// packages: a display without a screen, keys for its windows, a copy of its picture.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installFromDebian } from './debian.ts'

/** Each program with the package that has it. */
const PROGRAMS = { Xvfb: 'xvfb', xdotool: 'xdotool', xwd: 'x11-apps' } as const

/** The programs that this machine does not have. */
export function listMissingOfDisplay(): (keyof typeof PROGRAMS)[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]
  return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
}

/** Installs the programs. Where they cannot be had, the tests that need them are skipped. */
export async function installDisplay(): Promise<void> {
  const missing = listMissingOfDisplay()
  if (missing.length === 0) return
  const failure = await installFromDebian(missing.map((name) => PROGRAMS[name]))
  if (failure) process.stderr.write(`No virtual display (${failure}).\n`)
}
