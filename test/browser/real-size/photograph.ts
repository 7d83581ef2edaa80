// Photographs the pages of the console over an installation of real size, as each role sees them, wide and narrow.
// Names the pages with a finding of axe-core, with an identifier in place of a name, or with text that is wider than
// its cell or the window.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { sql } from '../../../packages/server/src/db/sql.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../../real-size/fill.ts'
import type { Records } from '../../real-size/records.ts'
import { listViolations } from '../accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import { buildSampleRun } from '../fault-run-sample.ts'

const FOLDER = fileURLToPath(new URL('../../../.chartside/real-size', import.meta.url))

/** Zoomed: at 200 % a window has half of its width and height in CSS pixels. */
const VIEWS = [
  { name: 'wide', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'narrow', viewport: { width: 420, height: 900 }, colorScheme: 'dark' },
  { name: 'forced', viewport: { width: 1440, height: 900 }, forcedColors: 'active' },
  { name: 'laptop', viewport: { width: 1024, height: 768 }, colorScheme: 'light' },
  { name: 'tablet', viewport: { width: 768, height: 1024 }, colorScheme: 'light' },
  { name: 'zoomed', viewport: { width: 720, height: 450 }, colorScheme: 'dark' },
] as const

interface Visit {
  readonly role: string
  readonly who: Credentials
  readonly pages: readonly string[]
}

function listVisits(
  { practices, vendors, actors }: Records,
  failedLaunchId: string,
  faultRun: string,
): Visit[] {
  const [practice, vendor] = [practices[0]?.id, vendors[0]]
  const person = `/people/${practices[0]?.providers[0]?.id}`
  const app = `/apps/${practices[0]?.apps[0]?.id}`
  const launch = `/launches/${failedLaunchId}`
  const of = ({ email }: { readonly email: string }) => ({ email, password: PASSWORD })
  return [
    {
      ...{ role: 'platform', who: ADMIN },
      pages: [
        ...['', '/apps', '/apps?find=visit', '/people', person, '/accounts'],
        ...['/collections', '/launches', app, launch, '/audit'],
        ...[
          '/launches?outcome=failed&in=week',
          '/sessions',
          `/collections/${vendor?.collectionId}`,
        ],
        ...['/signing-keys', '/try'],
      ].map((path) => `platform${path}`),
    },
    {
      ...{ role: 'practice', who: of(actors.practiceAdmin) },
      pages: [
        '',
        '/running',
        '/launches',
        '/sessions',
        '/people',
        person,
        '/apps',
        '/collections',
        '/audit',
        '/audit/seen',
        '/account',
      ]
        .map((path) => `${practice}${path}`)
        .concat('settings', 'settings/sign-in', 'settings/sessions'),
    },
    {
      ...{ role: 'developer', who: of(actors.developer) },
      pages: [
        '',
        '/apps',
        app,
        '/launches',
        `/collections/${vendor?.collectionId}`,
        '/sessions',
        faultRun,
      ].map((path) => `${vendor?.id}${path}`),
    },
    {
      ...{ role: 'provider', who: of(actors.provider) },
      pages: ['', '/launches', '/sessions'].map((path) => `${practice}${path}`),
    },
  ]
}

async function listFaults(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => ({
    wider: document.documentElement.scrollWidth - innerWidth,
    cut: [...document.querySelectorAll('main :is(th, td)')].flatMap((cell) =>
      [...cell.querySelectorAll('a, code, span, strong, time')].flatMap((part) =>
        part.checkVisibility() &&
        // A clamped box cuts its own text, and has it whole as its title; the box itself is looked at.
        !part.matches('.unseen, .unseen *, .clamped *') &&
        part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1
          ? [`${part.textContent?.slice(0, 60)}`]
          : [],
      ),
    ),
    names: [...document.querySelectorAll('th[scope=row]')].map(({ textContent }) => textContent),
  }))
  return [
    ...shown.cut.map((text) => `wider than its cell: ${text}`),
    ...(shown.wider > 0 ? [`${shown.wider} px wider than the window`] : []),
    ...shown.names.flatMap((name) =>
      /^(app|acc|col)_[0-9a-z]{22}$/.test(name ?? '') ? [`an identifier as a name: ${name}`] : [],
    ),
    ...(await listViolations(page)),
  ]
}

async function visit(
  fixture: ConsoleFixture,
  { role, who, pages }: Visit,
  say: (text: string) => void,
) {
  const faults: string[] = []
  for (const { name, ...options } of VIEWS) {
    const page = await fixture.begin(options)
    await fixture.signIn(who)
    for (const path of pages) {
      await page.goto(`${fixture.base}/console/${path}`)
      await page.locator('[data-page-title]').waitFor()
      await page.locator('main .card, main .launches').first().waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
      const below = `/${path}`
        .replace(/^\/(platform|acc_\w+)/, '')
        .replaceAll(/(app|col|frn|lau|usr)_\w+/g, 'one')
      const file = `${role}${below.replaceAll(/[^a-z]+/g, '-') || '-overview'}`
      await page.screenshot({ path: join(FOLDER, `${file}-${name}.png`) })
      const found = await listFaults(page)
      faults.push(...found.map((fault) => `${role} /${path}, ${name}: ${fault}`))
      say(`${found.length === 0 ? '✔' : '✖'} ${role} /${path}, ${name}`)
      for (const fault of found) say(`    ${fault}`)
    }
  }
  return faults
}

/** How many views there were, and what is wrong with them. */
export async function photograph(
  size: { readonly seed: string; readonly launches: number },
  say: (text: string) => void,
): Promise<{ readonly views: number; readonly faults: readonly string[] }> {
  mkdirSync(FOLDER, { recursive: true })
  const fixture = await startConsole({}, { accountName: '', isRealTime: true })
  try {
    const records = await fillRealSize(fixture.service, size)
    const [row] = await fixture.service.service.db.read(
      sql`SELECT id FROM launches WHERE failure_count > 0 ORDER BY id DESC LIMIT 1`,
    )
    const app = records.practices[0]?.apps[0]?.id
    const reason = 'Opens the wrong tab since the update.'
    await fixture.api('PUT', `/api/apps/${app}/stopped-ehrs/meadow`, { reason })
    const runs = `/apps/${app}/fault-runs`
    const at = new Date().toISOString()
    await fixture.api('POST', `/api${runs}`, buildSampleRun(at, 'failed'))
    const run = await fixture.api('POST', `/api${runs}`, buildSampleRun(at, 'passed'))
    const visits = listVisits(records, String(row?.id), `${runs}/${run.id}`)
    const views = VIEWS.length * visits.reduce((all, { pages }) => all + pages.length, 0)
    const faults: string[] = []
    for (const one of visits) faults.push(...(await visit(fixture, one, say)))
    say(`The pictures are in .chartside/real-size. Views: ${views}. Faults: ${faults.length}`)
    return { views, faults }
  } finally {
    await fixture.stop()
  }
}
