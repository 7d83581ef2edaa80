// Finds a Chromium for the browser tests, or gets one, and starts it. It looks before it fetches:
// CHARTSIDE_CHROMIUM, Playwright's own, one on PATH; then Playwright's download; then, with
// CHARTSIDE_INSTALL=1 and as root, Debian's package. Pages run in the headless shell where there is one: the same engine without the
// window around it. What it does is said on stderr; a failure names the cause and the fix.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { installFromDebian, runInstaller } from './debian.ts'
import { countBrowserProcesses } from './test/processor-time.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
/** The names of browsers without extensions and windows: a quarter less processor time for the same pages. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell']

/** The features that Playwright 1.65 switches off. Chromium takes the last list only, so ours repeats it. */
const OFF_FOR_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** Pages of the address bar that every window loads: ten times the processor time of a test page. */
const UNUSED_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** A renderer that is started for the next page in advance: most contexts here open only one. */
const UNUSED_PROCESSES = ['SpareRendererForSitePerProcess']

/** A page of a test ends before optimized code pays: without it a tenth less processor time. */
const isTest = process.argv.some((argument) => argument.endsWith('.browser.ts'))

const SCRIPT_FLAGS = [
  // Else each function is parsed again for the stack trace of a request that the debugger hears of.
  '--no-enable-lazy-source-positions',
  ...(isTest ? ['--no-maglev', '--no-turbofan'] : []),
]

/** The arguments make it quiet, and the same everywhere: no GPU, no updates, no calls home. */
export const CHROMIUM_ARGS = [
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...UNUSED_PAGES, ...UNUSED_PROCESSES].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  // Painting without a GPU needs no process of its own: a tenth less processor time.
  '--in-process-gpu',
  '--disable-quic',
  `--js-flags=${SCRIPT_FLAGS.join(' ')}`,
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The time for which a browser is kept for the next test file of the process, which begins at once. */
const KEEP_MS = 300

/** The browser of this process that a test file has closed and the next one may take. */
let kept: { readonly browser: Browser; readonly closing: NodeJS.Timeout } | undefined

export async function launchChromium(): Promise<Browser> {
  const { browser, closing } = kept ?? {}
  kept = undefined
  clearTimeout(closing)
  if (browser?.isConnected()) return browser
  return startChromium()
}

async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findHeadlessShell() ?? (await findChromium()),
    args: CHROMIUM_ARGS,
  })
  const close = browser.close.bind(browser)
  browser.close = async () => {
    countBrowserProcesses()
    await Promise.all(browser.contexts().map((context) => context.close()))
    if (kept) return close()
    kept = {
      browser,
      closing: setTimeout(() => {
        kept = undefined
        countBrowserProcesses()
        close().catch(() => {})
      }, KEEP_MS),
    }
  }
  return browser
}

/** The path of a Chromium that can be run; installs one when there is none. */
export async function findChromium(): Promise<string> {
  const configured = process.env.CHARTSIDE_CHROMIUM
  if (configured) {
    if (runs(configured)) return configured
    throw new Error(`CHARTSIDE_CHROMIUM names ${configured}, which does not run as a browser.`)
  }
  const present = findPlaywrightChromium() ?? findOnPath()
  if (present) return present

  const failures: string[] = []
  for (const [what, install] of [
    ["Playwright's Chromium", installFromPlaywright],
    ["Debian's chromium package", () => installFromDebian(['chromium'])],
  ] as const) {
    say(`No Chromium found; trying ${what}.`)
    const failure = await install()
    const installed = findPlaywrightChromium() ?? findOnPath()
    if (installed) return installed
    failures.push(`${what}: ${failure ?? 'installed, but no browser was found afterwards'}`)
    say(failures.at(-1) ?? '')
  }
  throw new Error(
    `The browser tests need Chromium and none could be found or installed. ${failures.join('. ')}. ` +
      'Install chromium with the package manager of this machine, or set CHARTSIDE_CHROMIUM to ' +
      'the path of a Chromium or Chrome executable.',
  )
}

function findPlaywrightChromium(): string | undefined {
  return [chromium.executablePath()].find(runs)
}

function listOnPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

function findOnPath(): string | undefined {
  return [
    ...listOnPath(NAMES),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find(runs)
}

/** A Chromium that was configured is used for everything. */
export const findHeadlessShell = (): string | undefined =>
  process.env.CHARTSIDE_CHROMIUM ? undefined : listOnPath(SHELL_NAMES).find(runs)

/** Installs a small package beside chromium, as root on Debian. Elsewhere the whole browser serves as well. */
export async function installHeadlessShell(): Promise<void> {
  if (process.env.CHARTSIDE_CHROMIUM || findHeadlessShell()) return
  const failure = await installFromDebian(['chromium-headless-shell'])
  if (failure) say(`No headless shell (${failure}); pages run in the whole browser.`)
}

/** A browser may be there and lack its libraries, or be a stub that only asks to be installed. */
function runs(path: string): boolean {
  if (!existsSync(path)) return false
  return spawnSync(path, ['--version'], { timeout: 15_000, stdio: 'ignore' }).status === 0
}

async function installFromPlaywright(): Promise<string | undefined> {
  const home = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  // The headless shell cannot load extensions, so the full browser is what is needed.
  return runInstaller(process.execPath, [join(home, 'cli.js'), 'install', '--no-shell', 'chromium'])
}

const say = (line: string) => process.stderr.write(`${line}\n`)
