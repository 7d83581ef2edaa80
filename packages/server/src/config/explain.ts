// Explains the error that ended a process: the cause and the fix, for the start of the service and for
// every command. Shows no secret: the errors that it reads carry none.

import { DatabaseUnavailable } from '../db/database.ts'
import { ConfigError } from './config.ts'

export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError)
    return `${error.message}\n\nSee chartside serve --help, in the repository npm run serve -- --help.`
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another process. Stop it, or set CHARTSIDE_PORT to another port.`
  }
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ''
  if (error instanceof DatabaseUnavailable) {
    return `${capitalized(error.message)}${cause}. Check CHARTSIDE_DATABASE_URL and that the database runs.`
  }
  return error.message
}

/** A host name with several addresses fails with one AggregateError, which has a code only. */
const messageOf = (cause: NodeJS.ErrnoException) => cause.message || cause.code

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
