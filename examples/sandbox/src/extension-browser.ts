// What `npm start -- --extension` adds: the service admits the extension's origin, and a Chromium opens a
// chart of the sample EHR with the extension, in a profile of its own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  DEVELOPMENT_KEY,
  writeExtension,
} from '@chartside/extension/build'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { toTerminalText } from '@chartside/server/terminal-text'
import { findChromium } from '../../../scripts/chromium.ts'
import type { Places } from './places.ts'

/** Admits the extension before the service starts: that reads the origins of its hosts once. */
export function admitExtension(environment: NodeJS.ProcessEnv): void {
  const origin = `chrome-extension://${computeExtensionId(DEVELOPMENT_KEY)}`
  const others = environment.CHARTSIDE_HOST_ORIGINS
  environment.CHARTSIDE_HOST_ORIGINS = others ? `${others},${origin}` : origin
}

/** @returns a line that says what was opened, or how to open it by hand */
export async function openExtension(
  { service, ehr }: Places,
  dataDir: string,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(dataDir, 'extension')
  const ehrHosts = [`http://${new URL(ehr.url).hostname}/*`]
  await writeExtension(
    await bundleExtension({ ...DEVELOPMENT, service: service.url, ehrHosts }),
    folder,
  )
  const chart = `${ehr.url}/meadow/patients`
  const byHand = `Load ${folder} as an unpacked extension, then open ${chart}`
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return `This machine has no display. ${byHand}`
  }
  const flags = [
    `--user-data-dir=${join(dataDir, 'browser')}`,
    `--disable-extensions-except=${folder}`,
    `--load-extension=${folder}`,
    '--no-first-run',
    // Chromium refuses to start as root with its sandbox, as in many containers.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  const ended = await openBrowser(await findChromium(), [...flags, chart], signal)
  if (ended === undefined) {
    return `Chromium opens ${chart} with the extension: open the puzzle piece, then Chartside, and ${HOW_TO_SIGN_IN}. If it does not: ${byHand}`
  }
  return `Chromium did not start (${ended}). ${byHand}`
}

const [
  {
    providers: [{ email = '' } = {}],
  } = { providers: [] },
] = SAMPLE_PRACTICES
const HOW_TO_SIGN_IN = `sign in as ${email} with the password ${SAMPLE_PASSWORD}`

/** One that cannot run here ends at once. */
const STARTED_AFTER_MS = 1500
const MAX_SHOWN = 200

/** Gives undefined when the browser runs, else what it said. */
function openBrowser(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  signal.addEventListener('abort', () => browser.kill())
  let said = ''
  browser.stderr.on('data', (chunk: Buffer) => {
    if (said.length < MAX_SHOWN) said += chunk.toString()
  })
  return new Promise((resolve) => {
    browser.on('error', (error) => resolve(error.message))
    browser.on('exit', (code, by) => {
      const line = said.split('\n').find((one) => one.trim() !== '') ?? 'it said nothing'
      resolve(`${code ?? by}: ${toTerminalText(line.trim().slice(0, MAX_SHOWN))}`)
    })
    setTimeout(() => resolve(undefined), STARTED_AFTER_MS).unref()
  })
}
