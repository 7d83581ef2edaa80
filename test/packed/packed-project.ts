// A project with what app authors install: the packed packages, installed by npm. Owns the folder.
// Third-party packages come from npm's cache first.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installShared } from './installation.ts'
import { copyArchives } from './packed-archives.ts'

/** Creates the folder again. Returns the archives by package name. */
export async function makePackedProject(folder: string): Promise<Map<string, string>> {
  await rm(folder, { recursive: true, force: true })
  const archives = await copyArchives(join(folder, 'archives'))
  // The server is for operators: server.test.ts installs it. The sandbox starts it: create.browser.ts.
  for (const name of ['server', 'sandbox']) archives.delete(`@chartside/${name}`)
  const dependencies = Object.fromEntries(
    [...archives].map(([name, archive]) => [name, `file:${archive}`]),
  )
  await installShared(folder, dependencies)
  return archives
}
