// Both storage engines as tests want them: something that gives the URL of a new, empty database as
// often as asked, and goes away. Owns no expectation.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

export interface Engine {
  /** The URL of a new, empty database. */
  freshDatabase(): Promise<string>
  stop(): Promise<void>
}

async function startSqlite(): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-db-'))
  let count = 0
  return {
    freshDatabase: async () => `file:${join(directory, `${++count}.db`)}`,
    stop: async () => rmSync(directory, { recursive: true }),
  }
}

export const ENGINES: readonly (readonly [name: string, start: () => Promise<Engine>])[] = [
  ['sqlite', startSqlite],
  ['postgres', startPostgres],
]
