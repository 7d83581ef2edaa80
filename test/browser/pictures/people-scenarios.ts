// The states of people and accounts: members and the invited of one account, users and accounts of the
// platform, and what a change asks.

import { ADMIN } from '../../../packages/server/test/test-service.ts'
import type { Capture } from './captures.ts'
import { LAKESIDE, type OfficeStage } from './office-scenarios.ts'
import { beginPage, buildControls, type Scenario } from './scenarios.ts'

export function peopleScenarios(capture: Capture, stage: OfficeStage): Scenario[] {
  const tools = buildTools(capture, stage)
  return [
    invitation(tools),
    accountsAndUsers(tools),
    mistakesAndRoles(tools),
    administratorsAndNames(tools),
  ]
}

const buildTools = (capture: Capture, stage: OfficeStage) => ({
  ...buildControls(capture, stage, 'people'),
  stage,
  item: (name: string) => stage.fixture.page.getByRole('menuitem', { name }),
  email: () => stage.fixture.page.getByLabel('E-mail address'),
})

type Tools = ReturnType<typeof buildTools>

const invitation = ({ stage, picture, button, at, email }: Tools): Scenario => ({
  title: 'people: the list, an invitation and its link',
  async run() {
    const { fixture } = stage
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, at('people'))
    await page.getByText(LAKESIDE.email).waitFor()
    await picture('list')
    await button('Invite a person').click()
    await email().fill('mei.tanaka@lakeside.example')
    await page.getByLabel('Name', { exact: true }).fill('Dr. Mei Tanaka')
    await picture('invite')
    await button('Make the link').click()
    await page.getByText('This link is shown once.').waitFor()
    // The value is another one each time.
    await page.locator('.secret output').evaluate((output) => {
      output.textContent = 'https://chartside.example/auth/invitation?token=invite_…'
    })
    await picture('link')
  },
})

const accountsAndUsers = ({ stage, picture, button, at, goTo, item }: Tools): Scenario => ({
  title: 'people: accounts, users, disabling a person, a conflict',
  async run() {
    const { fixture } = stage
    const { api, accountId } = fixture
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, '/console/platform/accounts')
    await page.getByRole('link', { name: 'Northgate Cardiology' }).waitFor()
    await picture('accounts')
    await goTo('/console/platform/people')
    await button('Change Pat Admin').click()
    await picture('users')
    await item('Disable everywhere').click()
    await page.getByLabel('Type Pat Admin to confirm').fill('Pat')
    await picture('disable')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Pat Admin' }).click()
    await page.getByRole('link', { name: 'Lakeside Family Practice' }).waitFor()
    await picture('user')
    await page.getByRole('link', { name: 'Lakeside Family Practice' }).click()
    await page.getByText('has opened no app').waitFor()
    await picture('person')
    await goTo(at('account'))
    await page.getByLabel('Name', { exact: true }).fill('Lakeside Family Care')
    await api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Practice' })
    await button('Save').click()
    await page.getByText('This was changed while you worked on it').waitFor()
    await picture('conflict')
    await api('PATCH', `/api/accounts/${accountId}`, { name: 'Lakeside Family Practice' })
  },
})

const mistakesAndRoles = ({ stage, picture, button, at, item, email }: Tools): Scenario => ({
  title: 'people: mistakes, roles, removal, searches, readers',
  async run() {
    const { fixture } = stage
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, at('people'))
    await button('Change Dana Developer').click()
    await picture('actions')
    await item('Change the role').click()
    await picture('role')
    await page.keyboard.press('Escape')
    await button('Change Dana Developer').click()
    await item('Remove from the account').click()
    await picture('remove')
    await page.keyboard.press('Escape')
    await button('Invite a person').click()
    await email().fill('not an address')
    await button('Make the link').click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await picture('mistakes')
    await page.keyboard.press('Escape')
    await page.getByLabel('Find a person').fill('no one of this name')
    await page.getByText('No person matches').waitFor()
    await picture('no-match')
    const reader = await fixture.addPerson('Dr. Rui Reader', 'provider')
    const theirs = await beginPage(fixture)
    await fixture.signIn(reader, at('people'))
    await theirs.getByText(LAKESIDE.email).waitFor()
    await picture('reader')
  },
})

const administratorsAndNames = ({ stage, picture, button, at, goTo, email }: Tools): Scenario => ({
  title: 'people: a second administrator, disabled people, accounts, hostile names',
  async run() {
    const { fixture } = stage
    const { api } = fixture
    await fixture.addPerson('Quinn Quick', 'provider')
    const { items } = await api('GET', '/api/users?email=quinn.quick@lakeside.example')
    await api('DELETE', `/api/users/${items[0].id}`)
    const page = await beginPage(fixture)
    await fixture.signIn(ADMIN, '/console/platform/people?show=disabled')
    await page.getByText('Quinn Quick').waitFor()
    await picture('disabled')
    await goTo('/console/platform/people')
    await button('Add a person').click()
    await email().fill('second.admin@chartside.example')
    await page.getByLabel('Name', { exact: true }).fill('Sasha Second')
    await page.getByRole('checkbox').check()
    await picture('add-user')
    await goTo('/console/platform/accounts')
    await button('New account').click()
    await button('Create').click()
    await page.getByText('Enter the name of the account.').waitFor()
    await picture('new-account')
    await goTo(at('account'))
    await page.getByLabel('Name', { exact: true }).waitFor()
    await picture('account')
    await button('Delete').click()
    await picture('delete-account')
    await page.keyboard.press('Escape')
    const names = [
      '<img src=x onerror=window.ran=1>',
      `${'W'.repeat(120)}`,
      'javascript:alert(1)',
      'a\u0301\u0302\u0303\u0304\u0305'.repeat(12),
    ]
    for (const [index, name] of names.entries()) {
      const address = `x${index}@lakeside.example`
      const members = `/api/accounts/${fixture.accountId}/members`
      await api('POST', members, { email: address, name, role: 'provider' })
    }
    await goTo(at('people'))
    await page.getByText('x3@lakeside.example').waitFor()
    await picture('hostile', page.getByText('x1@lakeside.example'))
  },
})
