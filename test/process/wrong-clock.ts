// Starts the service on a machine whose clock is wrong: Debian's libfaketime, which also turns the clock of
// SQLite and can change it while the process runs; without it Date is shifted in the process, which is
// enough for a database of its own machine. The monotonic clock stays right, as in a real machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDebianFile, isMissing } from './debian.ts'
import type { StartOptions } from './service-process.ts'

export interface WrongClock {
  /** For startService. */
  readonly options: Pick<StartOptions, 'environment' | 'nodeFlags'>
  /** Sets the clock of the running process, in seconds from the right time. */
  set?(seconds: number): void
  cleanUp(): void
}

export async function wrongClock(seconds: number): Promise<WrongClock> {
  const library = await findDebianFile('libfaketime', 'lib/*/faketime/libfaketime.so.1')
  if (isMissing(library)) return { options: shiftedDate(seconds), cleanUp: () => {} }
  const directory = mkdtempSync(join(tmpdir(), 'chartside-clock-'))
  const file = join(directory, 'offset')
  const set = (by: number) => writeFileSync(file, `${by < 0 ? '' : '+'}${by}\n`)
  set(seconds)
  const environment = {
    LD_PRELOAD: library.path,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  return {
    options: { environment },
    set,
    cleanUp: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function shiftedDate(seconds: number): WrongClock['options'] {
  const source = `const now = Date.now; Date.now = () => now() + ${seconds * 1000}`
  return { nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(source)}`] }
}
