// Owns the directory of one measurement. It is removed at the end of that, and when the process ends
// before.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-bench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  try {
    return await work(directory)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
