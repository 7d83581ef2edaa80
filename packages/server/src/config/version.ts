// The version of the service, as its package.json has it: for --version, the help of the command line, and
// the log line of a start. The published package has its own copy of that file.
import { readFileSync } from 'node:fs'

export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
