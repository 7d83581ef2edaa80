// One PostgreSQL server for tests that can be taken down, in order or by a crash, and brought back
// on the same port with the same files. Owns the message when there is none.
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { initialise, openWorkplace, startServer } from './postgres-process.ts'

export interface StoppableServer {
  /** Of the maintenance database, with a superuser. */
  readonly url: string
  takeDown(): Promise<void>
  /** Takes it down without a checkpoint, so that it comes back through crash recovery. */
  crash(): Promise<void>
  bringBack(): Promise<void>
  /** Ends it for good and removes its files. */
  stop(): Promise<void>
}

const FIX =
  'Set TEST_POSTGRES_URL to a PostgreSQL whose user may create databases (postgres://user:password@host:5432/postgres), or run npm ci again if packages are missing.'

/**
 * `settings` go to the server's command line; `dataDisk` is a file system that takes its tables, and
 * not its log.
 * @throws Error that names the cause and what to do.
 */
export async function launchServer(
  settings: Readonly<Record<string, string>> = {},
  dataDisk?: string,
): Promise<StoppableServer> {
  try {
    return await launch(settings, dataDisk)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(`No PostgreSQL could be started for the tests: ${cause}\n${FIX}`)
  }
}

async function launch(
  settings: Readonly<Record<string, string>>,
  dataDisk: string | undefined,
): Promise<StoppableServer> {
  const place = await openWorkplace()
  try {
    const data = join(dataDisk ?? place.directory, 'data')
    const flags = dataDisk ? [`--waldir=${join(place.directory, 'log')}`] : []
    const password = await initialise(place, data, flags)
    const port = await freePort()
    let server = await startServer(place, data, port, settings)
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      takeDown: () => server.end(),
      crash: () => server.end('SIGQUIT'),
      async bringBack() {
        server = await startServer(place, data, port, settings)
      },
      async stop() {
        await server.end()
        place.cleanUp()
      },
    }
  } catch (error) {
    place.cleanUp()
    throw error
  }
}
