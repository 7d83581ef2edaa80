// The sessions and the accepted ID tokens of an app in one SQLite file, so that a restart signs no user out.
// Loads node:sqlite once a file is named. Spec §5.4, §5.6.
import { closeSync, openSync } from 'node:fs'
import { createSqlReplayStore, type ReplayStore } from '../server/replay-store.ts'
import type { SessionStore } from '../server/session-store.ts'
import { createSqlSessionStore } from '../server/sql-session-store.ts'
import type { SqlStoreOptions } from '../server/sql-store.ts'

/** The options of `createWebApp` of the same names. */
export interface FileStores {
  readonly sessions?: { readonly store: SessionStore }
  readonly replays?: ReplayStore
}

const SWEEP_INTERVAL_MS = 60_000

/**
 * Opens the file, creates what is missing, and deletes each minute what has ended. Processes of one machine
 * may share a file; on a network drive it is not safe. Without a path the app keeps both in memory.
 * @throws Error that names SESSIONS_FILE when the file cannot be opened
 * @example createWebApp({ …, ...openFileStores(settings.sessionsFile) })
 */
export function openFileStores(path: string | undefined): FileStores {
  if (!path) return {}
  const direct = openFile(path)
  const ready = createTables(direct)
  const run: SqlStoreOptions['run'] = async (sql, values) => {
    await ready
    return direct(sql, values)
  }
  const store = createSqlSessionStore({ run })
  const replays = createSqlReplayStore({ run })
  const sweep = () =>
    Promise.all([store.sweep(), replays.sweep()]).catch(({ message }: Error) =>
      console.error(`SESSIONS_FILE ${path}: ${message}`),
    )
  void sweep()
  setInterval(() => void sweep(), SWEEP_INTERVAL_MS).unref()
  return { sessions: { store }, replays }
}

function openFile(path: string): SqlStoreOptions['run'] {
  try {
    // It names users. The files that SQLite puts beside it get the same mode.
    closeSync(openSync(path, 'a', 0o600))
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const db = new DatabaseSync(path)
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return async (sql, values) => db.prepare(sql).all(...values)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unreadable'
    throw new Error(`SESSIONS_FILE (see .env.example) cannot be opened: ${why}`, { cause })
  }
}

async function createTables(run: SqlStoreOptions['run']): Promise<void> {
  await createSqlSessionStore({ run }).createTable()
  await createSqlReplayStore({ run }).createTable()
}
