// Whole tasks of practices, vendors and the platform in an installation of real size, each from the first page of its
// role: how many clicks and fields it takes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertEventStatement } from '../../packages/server/src/audit/audit-store.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { newId } from '../../packages/server/src/kernel/identifiers.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../real-size/fill.ts'
import type { Person, Records } from '../real-size/records.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, type Credentials, startConsole } from './console-fixture.ts'
import { Counter } from './counter.ts'

const DAY_MS = 86_400_000

type Role = 'practice' | 'vendor' | 'platform'

/** Of tasks in a practice and on the platform. */
const MAX_CLICKS = 8

interface Task {
  readonly role: Role
  readonly clicks: number
  readonly fields: number
  readonly play: (count: Counter) => Promise<unknown>
}

let fixture: ConsoleFixture
let records: Records
before(async () => {
  fixture = await startConsole({}, { accountName: '', isRealTime: true })
  records = await fillRealSize(fixture.service, { seed: '1' })
})
after(() => fixture?.stop())

const link = (name: string | RegExp) => fixture.page.getByRole('link', { name, exact: true })
const nav = (name: string) =>
  fixture.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true })
const button = (name: string | RegExp) => fixture.page.getByRole('button', { name, exact: true })
const field = (name: string | RegExp) => fixture.page.getByLabel(name, { exact: true })
const row = (text: string) => fixture.page.getByRole('row').filter({ hasText: text }).first()

/** Takes a record of a picker by its name. */
async function pick(count: Counter, label: string, name: string): Promise<void> {
  const picker = fixture.page.getByRole('combobox', { name: label })
  await count.click(picker)
  await count.fill(picker, name)
  await count.click(fixture.page.getByRole('option', { name }).first())
}

const whoOf = (role: Role): Credentials => {
  const { practiceAdmin, developer } = records.actors
  if (role === 'platform') return ADMIN
  return { email: (role === 'practice' ? practiceAdmin : developer).email, password: PASSWORD }
}

interface Failed {
  readonly provider: string
  readonly trace: string
  /** As the provider says it, such as “Nov 24, 9:12 AM”. */
  readonly time: string
}

/** The newest failed launch of an account or of the apps of one, by a provider with a name like no other. */
async function findFailed(condition: ReturnType<typeof sql>): Promise<Failed> {
  const [found] = await fixture.service.service.db.read(
    sql`SELECT u.name, f.trace_id, l.created_at FROM launch_failures f
      JOIN launches l ON l.part = f.part AND l.id = f.launch_id
      JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      JOIN users u ON u.id = s.user_id JOIN apps a ON a.id = l.app_id
      WHERE u.name LIKE 'Dr. %' AND ${condition} ORDER BY f.failed_at DESC LIMIT 1`,
  )
  assert.ok(found, 'a launch has failed')
  const day = { month: 'short', day: 'numeric' } as const
  const time = new Date(Number(found.created_at)).toLocaleString('en-US', {
    ...day,
    ...{ hour: 'numeric', minute: '2-digit' },
  })
  return { provider: String(found.name), trace: String(found.trace_id), time }
}

/** A day ago this person opened the list of members. */
async function lookYesterday({ id }: Person, accountId: string): Promise<void> {
  const { service, clock } = fixture.service
  const at = clock() - DAY_MS
  await service.db.write(
    insertEventStatement({
      ...{ id: newId('evt', at, service.randomness), at, accountId, actor: id, target: accountId },
      ...{ action: 'listMembers', launchId: undefined, ip: '192.0.2.7', outcome: 'ok', detail: {} },
    }),
  )
}

const practice = () => {
  const [first] = records.practices
  assert.ok(first)
  return first
}

const TASKS: Readonly<Record<string, Task>> = {
  'invite a colleague as administrator': {
    ...{ role: 'practice', clicks: 6, fields: 2 },
    async play(count) {
      await count.click(nav('People'))
      await count.click(button('Invite a person'))
      await count.fill(field('E-mail address'), 'second.admin@real-size.example')
      await count.fill(field('Name'), 'Second Admin')
      await count.click(fixture.page.getByRole('radio', { name: /Administrator/ }))
      await count.click(button('Make the link'))
      await count.click(button('Copy link'))
      await count.click(button('Done'))
      await row('Second Admin').getByText('Administrator').waitFor()
    },
  },
  'let a person see everything and change nothing': {
    ...{ role: 'practice', clicks: 5, fields: 1 },
    async play(count) {
      const { name } = practice().providers[1] as Person
      await count.click(nav('People'))
      await count.fill(field('Find a person'), name)
      await fixture.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
      await count.click(button(`Change ${name}`))
      await count.click(fixture.page.getByRole('menuitem', { name: 'Change the role' }))
      await count.click(fixture.page.getByRole('radio', { name: /Viewer/ }))
      await count.click(button('Change the role'))
      await row(name).getByText('Viewer').waitFor()
    },
  },
  'find why the app of one provider did not open': {
    ...{ role: 'practice', clicks: 7, fields: 1 },
    async play(count) {
      const { provider } = await findFailed(sql`s.account_id = ${practice().id}
        AND f.failed_at > ${fixture.service.clock() - 6 * DAY_MS}`)
      await count.click(nav('Launches'))
      await pick(count, 'Provider', provider)
      await count.choose(field('Time'), 'week')
      await count.click(button(/^Failed/))
      await count.click(row(provider).getByRole('link').first())
      await fixture.heading('Why it failed')
    },
  },
  'find why it did not open at a time that the provider names': {
    ...{ role: 'practice', clicks: 6, fields: 2 },
    async play(count) {
      const { provider, time } = await findFailed(sql`s.account_id = ${practice().id}
        AND f.failed_at > ${fixture.service.clock() - 6 * DAY_MS}`)
      await count.click(nav('Launches'))
      await pick(count, 'Provider', provider)
      const around = fixture.page.getByRole('searchbox', { name: /^Around/ })
      await count.click(around)
      await count.fill(around, time)
      await count.press(fixture.page, 'Enter')
      await fixture.page.waitForURL(/from=/)
      const failed = fixture.page.getByRole('row').filter({ hasText: /Failed/ })
      await count.click(failed.getByRole('link').first())
      await fixture.heading('Why it failed')
    },
  },
  'read what runs here, and stop one app here': {
    ...{ role: 'practice', clicks: 3, fields: 2 },
    async play(count) {
      const { name } = practice().apps[0] as { readonly name: string }
      await count.click(nav('What runs here'))
      await count.click(row(name).getByRole('button'))
      await count.fill(field('Reason'), 'Writes wrong units')
      await count.fill(field(`Type ${name} to confirm`), name)
      await count.click(button('Stop it here'))
      await row(name).getByText('Stopped').waitFor()
    },
  },
  'read what a person saw yesterday': {
    ...{ role: 'practice', clicks: 5, fields: 1 },
    async play(count) {
      const person = practice().providers[2] as Person
      await lookYesterday(person, practice().id)
      await count.click(nav('Audit'))
      await count.click(link('What a person saw'))
      await pick(count, 'Person', person.name)
      await count.click(button('Yesterday'))
      await fixture.heading(`What ${person.name} saw`)
      await row('looked at the list of members').waitFor()
    },
  },
  'replace a client secret without downtime': {
    ...{ role: 'vendor', clicks: 7, fields: 1 },
    async play(count) {
      const [app] = (
        await fixture.api('GET', `/api/apps?accountId=${records.vendors[0]?.id}&q=Care%20Notes`)
      ).items
      await fixture.api('POST', `/api/apps/${app.id}/secrets`, { label: 'This year' })
      await count.click(nav('Apps'))
      await count.click(link('Care Notes'))
      await count.click(button('New secret'))
      await count.fill(field('Label'), 'Next year')
      await count.click(button('Make it'))
      await count.click(button('I have stored it'))
      await count.click(button('Retire This year'))
      await count.click(button('Retire it in 24 hours'))
      await row('This year').getByText('Retires').waitFor()
    },
  },
  'stop an app everywhere': {
    ...{ role: 'vendor', clicks: 3, fields: 3 },
    play: (count) => stopEverywhere(count, 'Care Gaps'),
  },
  'stop an app on one EHR, in every practice': {
    ...{ role: 'vendor', clicks: 6, fields: 3 },
    async play(count) {
      const app = 'Referral Desk'
      await count.press(fixture.page, 'Control+k')
      await count.fill(fixture.page.getByRole('combobox', { name: /^Trace id/ }), `stop ${app}`)
      await count.click(fixture.page.getByRole('option', { name: `Switch off ${app}…` }))
      await count.click(fixture.page.getByRole('radio', { name: /^On one EHR/ }))
      await count.choose(field('EHR'), 'meadow')
      await count.fill(field('Reason'), 'Opens the wrong tab since the update')
      await count.fill(field(`Type ${app} to confirm`), app)
      await assertNoViolations(fixture.page, 'the question before an app is stopped on one EHR')
      await count.click(button('Stop it there'))
      await button(/^Let it run again on /).waitFor()
      await assertNoViolations(fixture.page, 'an app that is stopped on one EHR')
    },
  },
  'go from a trace id to the cause': {
    ...{ role: 'vendor', clicks: 2, fields: 1 },
    async play(count) {
      const { trace } = await findFailed(sql`a.account_id = ${records.vendors[0]?.id ?? ''}`)
      await count.click(nav('Launches'))
      await count.fill(field('Trace id or launch'), trace)
      await count.press(fixture.page, 'Enter')
      await fixture.heading('Why it failed')
    },
  },
  'see which practices run an app, and how it does there': {
    ...{ role: 'vendor', clicks: 2, fields: 0 },
    async play(count) {
      await count.click(nav('Launches'))
      await count.click(fixture.page.getByRole('combobox', { name: 'Practice' }))
      await fixture.page
        .getByRole('option', { name: /\d launches?$/ })
        .first()
        .waitFor()
    },
  },
  'stop one of 1,200 apps everywhere': {
    ...{ role: 'platform', clicks: 3, fields: 3 },
    play: (count) => stopEverywhere(count, 'Care Gaps 5'),
  },
  'give the next version to 3 of 40 practices': {
    ...{ role: 'platform', clicks: 8, fields: 0 },
    async play(count) {
      await letAllFollow()
      await count.click(nav('What runs where'))
      await count.click(link(FOR_ALL))
      await count.click(button('Review and publish version 3'))
      await count.click(fixture.page.getByRole('radio', { name: /^Chosen practices/ }))
      for (const one of records.practices.slice(1, 4))
        await count.click(fixture.page.getByRole('checkbox', { name: one.name }))
      await count.click(button('Publish version 3'))
      await fixture.page.getByText('Given to 3 of 40 practices').waitFor()
      await assertNoViolations(fixture.page, 'a version for some practices')
    },
  },
  'take a version back': {
    ...{ role: 'platform', clicks: 3, fields: 0 },
    async play(count) {
      await count.click(nav('What runs where'))
      await count.click(link(FOR_ALL))
      await count.click(button('Take it back'))
      await fixture.page.getByText('Given to none of 40 practices').waitFor()
      await row('Hillside Family Practice').getByText('not yet 3').waitFor()
    },
  },
  'let a version go to all by itself while it opens well': {
    ...{ role: 'platform', clicks: 5, fields: 0 },
    async play(count) {
      await dropOneApp()
      await count.click(nav('What runs where'))
      await count.click(link(FOR_ALL))
      await count.click(button('Review and publish version 4'))
      await count.click(fixture.page.getByRole('radio', { name: /^One practice in ten, then all/ }))
      await count.click(button('Publish version 4'))
      await fixture.page.getByText(/^Goes to all practices: /).waitFor()
      await fixture.page.getByText('Given to 4 of 40 practices').waitFor()
      await assertNoViolations(fixture.page, 'a version that goes to all by itself')
    },
  },
  'end a version where it is open now': {
    ...{ role: 'platform', clicks: 5, fields: 0 },
    async play(count) {
      const session = await openSessionOf(4)
      await count.click(nav('What runs where'))
      await count.click(link(FOR_ALL))
      await count.click(button('Take it back'))
      await count.click(button('End them now…'))
      await assertNoViolations(fixture.page, 'the question before EHR sessions end')
      await count.click(button('End them'))
      await fixture.page.getByText(/still show version 4/).waitFor({ state: 'detached' })
      assert.equal((await fixture.api('GET', `/api/sessions/${session}`)).state, 'ended')
    },
  },
  'see whether it is well now': {
    ...{ role: 'platform', clicks: 0, fields: 0 },
    play: () => fixture.page.locator('.health-sentence h3').waitFor(),
  },
}

const FOR_ALL = 'For all practices'

const ownCollection = () => `/api/collections/${records.vendors[0]?.collectionId}`

/** The draft opens one app less. */
async function dropOneApp(): Promise<void> {
  const { draft } = await fixture.api('GET', ownCollection())
  const apps = draft.apps.slice(1)
  await fixture.api('PATCH', ownCollection(), { name: FOR_ALL, draft: { ...draft, apps } })
}

/** The identifier of an EHR session of a practice that has this version. */
async function openSessionOf(version: number): Promise<string> {
  const { audience, content } = await fixture.api('GET', `${ownCollection()}/versions/${version}`)
  const [accountId] = audience.accountIds
  const { ehrType } = content.ehrs[0]
  return (await fixture.api('POST', '/api/sessions', { accountId, ehrType, deviceId: 'd' })).id
}

/** Every practice follows one collection, whose draft opens one app less. */
async function letAllFollow(): Promise<void> {
  const id = records.vendors[0]?.collectionId ?? ''
  const { db } = fixture.service.service
  await db.write(
    sql`UPDATE accounts SET collection_id = ${id}, collection_version = NULL
      WHERE collection_id IS NOT NULL`,
  )
  await dropOneApp()
}

async function stopEverywhere(count: Counter, app: string): Promise<void> {
  const { page } = fixture
  await count.press(page, 'Control+k')
  await count.fill(page.getByRole('combobox', { name: /^Trace id/ }), `stop ${app}`)
  await count.click(page.getByRole('option', { name: `Switch off ${app}…` }))
  await count.fill(field('Reason'), 'Writes wrong units')
  await count.fill(field(`Type ${app} to confirm`), app)
  await count.click(button('Switch it off'))
  await page
    .getByText(/is switched off/)
    .first()
    .waitFor()
}

for (const [name, { role, play, ...expected }] of Object.entries(TASKS)) {
  test(`${role}: ${name}`, async () => {
    await fixture.begin({ permissions: ['clipboard-read', 'clipboard-write'] })
    await fixture.signIn(whoOf(role))
    fixture.page.setDefaultTimeout(10_000)
    const count = new Counter()
    await play(count)
    const { clicks, fields } = count
    assert.deepEqual({ clicks, fields }, expected)
    assert.ok(role === 'vendor' || clicks <= MAX_CLICKS)
    await fixture.assertPolicyKept()
  })
}
