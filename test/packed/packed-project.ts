// A project with what app authors install: the packed packages, installed by npm. Owns the folder.
// Third-party packages come from npm's cache first.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyArchives } from './packed-archives.ts'

const run = promisify(execFile)

/** Creates the folder again. Returns the archives by package name. */
export async function makePackedProject(folder: string): Promise<Map<string, string>> {
  await rm(folder, { recursive: true, force: true })
  const archives = await copyArchives(join(folder, 'archives'))
  // The server is for operators: server.test.ts installs it.
  archives.delete('@chartside/server')
  const dependencies = Object.fromEntries(
    [...archives].map(([name, archive]) => [name, `file:${archive}`]),
  )
  const manifest = { name: 'packed-project', version: '1.0.0', private: true, dependencies }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await run('npm', ['install', ...quick], { cwd: folder })
  return archives
}
