// New apps beside the chart: written by the command from packed packages, installed, started by the
// sandbox with none of the sample apps, and opened in Chromium. Owns the folder. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Sandbox, startSandbox } from '@chartside/example-sandbox'
import type { Browser, Frame, Locator, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { installAlone, installTogether } from '../packed/installation.ts'
import { copyArchives } from '../packed/packed-archives.ts'
import { copySampleData } from '../process/sample-data.ts'

const run = promisify(execFile)
const command = fileURLToPath(
  new URL('../../packages/create-chartside-app/src/main.ts', import.meta.url),
)

/** The flags of each app, by its name. */
export type NewApps = Readonly<Record<string, readonly string[]>>

const slugOf = (name: string): string => name.toLowerCase().replace(' ', '-')

/** `prepare` gets the folder of each app, before the sandbox starts it. */
export async function startNewApps(
  apps: NewApps,
  prepare: (directory: string) => Promise<unknown> = async () => {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-create-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const packed = join(folder, 'packed')
    await copyArchives(packed)
    const created = await Promise.all(
      Object.entries(apps).map(async ([name, flags]) => {
        const app = join(folder, slugOf(name))
        await run(process.execPath, [command, app, ...flags, '--packages', packed])
        return { app, isAlone: flags.includes('--framework=next') }
      }),
    )
    const together = created.filter(({ isAlone }) => !isAlone).map(({ app }) => app)
    if (together.length > 0) await installTogether(folder, together)
    // The build of Next.js takes the folder that holds its packages for that of the app.
    for (const { app, isAlone } of created) if (isAlone) await installAlone(app)
    const directories = created.map(({ app }) => app)
    for (const directory of directories) await prepare(directory)
    const dataDir = join(folder, 'data')
    await copySampleData(dataDir)
    const sandbox = await startSandbox({ port: 0, dataDir, apps: directories, only: [] })
    const browser = await launchChromium()
    const stop = async () => {
      await browser.close()
      await sandbox.stop()
      removeFolder()
    }
    return { sandbox, browser, stop, directories }
  } catch (error) {
    removeFolder()
    throw error
  }
}

export type StartedApps = Awaited<ReturnType<typeof startNewApps>>
type Places = Sandbox['places']

/** The sample EHR after a sign-in; uncaught errors and policy violations of all its frames. */
export async function signIn({
  browser,
  sandbox,
}: {
  readonly browser: Browser
  readonly sandbox: { readonly places: Pick<Places, 'ehr'> }
}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) errors.push(message.text())
  })
  await page.goto(new URL('/meadow?practice=Northgate+Cardiology', sandbox.places.ehr.url).href)
  await page.locator('#sign-in .main-button').click()
  return { page, errors }
}

export const readyCard = (page: Page, name: string): Locator =>
  page.locator(`.launch[data-app="${name}"]`, { hasText: 'Ready in' })

/** The frame of an app in which its callback has ended. */
export const frameOf = (page: Page, url: string): Frame | undefined =>
  page.frames().find((frame) => frame.url().startsWith(url))

/** The story of a UI app: its user, a draft over a second launch, the end of the session. */
export async function followApp(started: StartedApps, name: string): Promise<void> {
  const { page, errors } = await signIn(started)
  await page.getByRole('tab', { name }).click()
  const frame = page.frameLocator(`iframe[title*="${name}"]`)
  await frame.locator('#provider', { hasText: 'Dr. Mei Tanaka' }).waitFor()
  assert.equal(await frame.locator('#practice').textContent(), 'Northgate Cardiology')
  await readyCard(page, name).waitFor()
  const shown = frameOf(page, started.sandbox.appUrl(slugOf(name)))
  assert.doesNotMatch(shown?.url() ?? '', /[?&](code|ticket|state)=/)
  // What is typed is there after the next launch.
  await frame.locator('#draft-note').fill('BP 128/82')
  await frame.getByText('Kept', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: `Launch ${name} again` }).click()
  await page.locator(`.launch[data-app="${name}"]`, { hasText: 'Replaced' }).waitFor()
  // Disabled until a draft is loaded; that of the chart follows once the host has named the chart.
  const note = frame.locator('#draft-note:enabled')
  await note.waitFor()
  for (let tries = 0; tries < 50 && (await note.inputValue()) === ''; tries++) await sleep(50)
  assert.equal(await note.inputValue(), 'BP 128/82')
  await page.locator('#sign-out').click()
  await page.locator('#sign-in').waitFor()
  assert.equal(await page.locator(`iframe[title*="${name}"]`).count(), 0)
  assert.deepEqual(errors, [])
}

/** For `prepare`: the sandbox starts what was built, as in production, in place of a development server. */
export function startBuilt(directory: string): void {
  const place = join(directory, 'chartside.app.json')
  const manifest = JSON.parse(readFileSync(place, 'utf8'))
  writeFileSync(place, JSON.stringify({ ...manifest, hotReload: [] }))
}

/** In the page that a new app shows. */
const SAMPLE_TEXT = 'This page is OpenApp'
/** Other work of the machine delays one save, not each of three. */
const MAX_SAVES = 3
const MAX_SECONDS = 2

/**
 * Saves the component of a new app in React while it is open: the frame shows it, without another page or
 * launch; and what does not compile stands in the page. Returns the seconds of each save.
 */
export async function followSaves(
  started: StartedApps,
  name: string,
  overlay: string,
): Promise<string> {
  const { page, errors } = await signIn(started)
  await page.getByRole('tab', { name }).click()
  await page.frameLocator(`iframe[title*="${name}"]`).getByText(SAMPLE_TEXT).waitFor()
  await readyCard(page, name).waitFor()
  await page.getByText(`${name}: development policy.`).waitFor()
  const frame = frameOf(page, started.sandbox.appUrl(slugOf(name)))
  assert.ok(frame)
  const directory = started.directories.find((path) => path.endsWith(slugOf(name))) ?? ''
  const place = join(directory, 'src/browser/app.tsx')
  const text = readFileSync(place, 'utf8')
  const note = frame.locator('#draft-note:enabled')
  await note.fill('BP 130/84')
  const seconds: number[] = []
  while (seconds.length < MAX_SAVES) {
    const shown = `Saved ${seconds.length + 1} times`
    const savedAt = performance.now()
    writeFileSync(place, text.replace(SAMPLE_TEXT, shown))
    await frame.getByText(shown).waitFor()
    seconds.push((performance.now() - savedAt) / 1000)
  }
  const all = seconds.map((one) => one.toFixed(2)).join(', ')
  assert.ok(Math.min(...seconds) <= MAX_SECONDS, all)
  assert.equal(await note.inputValue(), 'BP 130/84')
  assert.equal(await page.locator(`.launch[data-app="${name}"]`).count(), 1)
  writeFileSync(place, text.replace('<p className', '<p< className'))
  await frame
    .locator(overlay)
    .getByText(/app\.tsx/)
    .first()
    .waitFor()
  writeFileSync(place, text)
  await frame.getByText(SAMPLE_TEXT).waitFor()
  assert.deepEqual(errors, [])
  return all
}
