// The browser of a run: Chromium of CHARTSIDE_CHROMIUM, of Playwright, or of this machine. Installs none, and
// says how to get one.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { RunError } from './app-process.ts'

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome']

/** @throws RunError that says how to get one */
export async function openBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const folders = (env.PATH ?? '').split(delimiter)
  const named = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  const candidates = [env.CHARTSIDE_CHROMIUM ?? '', chromium.executablePath(), ...named]
  const executablePath = candidates.find((path) => path !== '' && existsSync(path))
  if (!executablePath) {
    throw new RunError(
      'No Chromium was found. Run `npx playwright-core install chromium`, or set CHARTSIDE_CHROMIUM.',
    )
  }
  // A container runs as root, where Chromium has no sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
