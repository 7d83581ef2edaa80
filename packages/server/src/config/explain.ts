// Explains the error that ended a process: the cause and the fix, for the start of the service and for
// every command. Shows no secret: the errors that it reads carry none.

import { DatabaseUnavailable } from '../db/database.ts'
import { ConfigError } from './config.ts'

interface Listen {
  readonly port?: number
  readonly address?: string
  /** The setting of the port, when it is not that of the service. */
  readonly setting?: string
}

const SEE_HELP = 'See chartside serve --help, in the repository npm run serve -- --help.'
const CHECK_SERVER = 'Check CHARTSIDE_DATABASE_URL and that the database runs.'
const OF_THIS_USER =
  'must be a database, or a name for one, in a folder of this user: see CHARTSIDE_DATA_DIR and CHARTSIDE_DATABASE_URL.'

export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError) {
    const paragraphs = [error.message, error.warnings.join('\n'), SEE_HELP]
    return paragraphs.filter(Boolean).join('\n\n')
  }
  const {
    code,
    port,
    address,
    setting = 'CHARTSIDE_PORT',
  } = error as NodeJS.ErrnoException & Listen
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another process. Stop it, or set ${setting} to another port.`
  }
  if (code === 'EADDRNOTAVAIL') {
    return `No interface of this machine has the address ${address}. Set ${setting.replace('PORT', 'HOST')} to one that it has, or to 0.0.0.0 for all.`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `This user may not listen on port ${port}. Set ${setting} to one above 1023, or grant the process CAP_NET_BIND_SERVICE.`
  }
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ''
  if (error instanceof DatabaseUnavailable) {
    const fix = error.path === undefined ? CHECK_SERVER : `${error.path} ${OF_THIS_USER}`
    return `${capitalized(error.message)}${cause}. ${fix}`
  }
  return error.message
}

/** A host name with several addresses fails with one AggregateError, which has a code only. */
const messageOf = (cause: NodeJS.ErrnoException) => cause.message || cause.code

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
