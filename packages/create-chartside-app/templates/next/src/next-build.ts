// Builds the app with Next.js when a file of it is newer than the last build, so that a start without a
// change takes a second. Runs `next build` as a process of its own. Writes .next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Folders and files from which Next.js builds. A folder's own time shows a file that was deleted. */
const SOURCES = ['app', 'src', 'public', 'proxy.ts', 'next.config.ts', 'package.json']
const MANIFEST = 'chartside.app.json'

/** @throws Error when the build fails; its output is in the terminal */
export async function buildWhenChanged(directory: string): Promise<void> {
  const builtAt = await timeOf(join(directory, '.next/BUILD_ID'))
  const times = await Promise.all(
    [...SOURCES, MANIFEST].map((source) => newestTime(join(directory, source))),
  )
  if (Math.max(...times) < builtAt) return
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  const child = spawn(process.execPath, [next, 'build'], { cwd: directory, env, stdio: 'inherit' })
  process.once('exit', () => child.kill())
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`next build failed (${signal ?? `exit code ${code}`}).`)
}

async function newestTime(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  return Math.max(...(await Promise.all(['', ...entries].map((each) => timeOf(join(path, each))))))
}

/** 0 when it does not exist. */
const timeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
