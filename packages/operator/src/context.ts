// What a command gets: the environment, clock, randomness and terminal of the process, and the
// database that the environment names. Owns no command and no output format.
import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '@chartside/server/operator/database'
import { ApiError } from '@chartside/server/operator/people'
import {
  type Clock,
  type Config,
  type Environment,
  parseConfig,
  type Randomness,
} from '@chartside/server/operator/runtime'

export interface CliContext {
  readonly env: Environment
  readonly clock: Clock
  readonly randomness: Randomness
  /** The user who runs the command, as the operating system names them; the audit trail records it. */
  readonly operator: { readonly user: string; readonly host: string }
  /** Prints one line of the result to standard output. */
  print(text: string): void
  /** Prints one line of progress or explanation to standard error. */
  note(text: string): void
  /** The same, in place of the line before; for a terminal only. */
  redraw(text: string): void
  /** Whether standard error is a terminal, where a line can be drawn again. */
  readonly isTerminal: boolean
  /** The signal is aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal
}

/** An expected failure: the message says what is wrong and what to do. */
export class CommandFailed extends Error {
  readonly exitCode: number

  constructor(
    message: string,
    { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'CommandFailed'
    this.exitCode = exitCode
  }
}

/** Throws the error of a call of the service; what its rules refuse is no fault of the program. */
export function refused(error: unknown): never {
  throw error instanceof ApiError ? new CommandFailed(error.message, { cause: error }) : error
}

/** @throws ConfigError with every problem of the environment. */
export const loadConfig = ({ env }: CliContext): Config => parseConfig(env).config

/** The database of the configuration, which must exist. Statements have a long timeout. */
export async function openConfigured(config: Config): Promise<Database> {
  const [, path] = /^file:(?:\/\/)?(.+)$/.exec(config.databaseUrl) ?? []
  if (path !== undefined && !existsSync(path)) {
    throw new CommandFailed(
      `There is no database at ${path} yet. Set CHARTSIDE_DATABASE_URL or CHARTSIDE_DATA_DIR to those ` +
        'of the service, or run chartside migrate to make one.',
    )
  }
  return openForOperator(config.databaseUrl)
}

/** A statement of the operator may run long: an index over millions of rows, a copy. */
export const openForOperator = (url: string): Promise<Database> =>
  openDatabase(url, { poolSize: 2, statementTimeoutMs: 600_000 })

/** Runs `work` with the database, and always closes it. */
export async function withDatabase<T>(
  opening: Promise<Database>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await opening
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
