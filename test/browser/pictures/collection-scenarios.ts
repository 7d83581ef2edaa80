// The states of what runs where: a draft of three apps and two EHRs, its versions, a practice that runs them,
// and what two people do to one draft.

import type { Capture } from './captures.ts'
import { beginPage, buildControls, type Scenario } from './scenarios.ts'
import type { SetupStage } from './setup-scenarios.ts'

export function collectionScenarios(capture: Capture, stage: SetupStage): Scenario[] {
  const tools = buildTools(capture, stage)
  return [publishing(tools), conflictsAndReaders(tools)]
}

const buildTools = (capture: Capture, stage: SetupStage) => ({
  ...buildControls(capture, stage, 'collections'),
  stage,
  /** The first scenario makes it. */
  collection: { id: '' },
})

type Tools = ReturnType<typeof buildTools>

const publishing = ({ stage, picture, button, field, at, goTo, collection }: Tools): Scenario => ({
  title: 'what runs where: draft, publishing, practices, versions',
  async run() {
    const { fixture, admin } = stage
    const { api, accountId } = fixture
    const names = ['Care Gaps', 'Growth Chart', 'Coding Watch']
    const apps: { id: string; name: string }[] = []
    for (const name of names) {
      const addresses = {
        launchUrl: 'https://apps.example/a',
        redirectUris: ['https://apps.example/b'],
      }
      apps.push(await api('POST', '/api/apps', { accountId, name, ...addresses }))
    }
    const page = await beginPage(fixture)
    await fixture.signIn(admin, at('collections'))
    await page.getByText('No collection yet').waitFor()
    await picture('empty')
    Object.assign(
      collection,
      await api('POST', '/api/collections', { accountId, name: 'Primary care' }),
    )
    const ehrs = ['Meadow', 'Summit'].map((name) => ({
      ehrType: name.toLowerCase(),
      name: `${name} EHR`,
      matches: [`https://${name.toLowerCase()}.example/*`],
    }))
    const draft = {
      ehrs,
      apps: apps.map(({ id, name }) => ({
        appId: id,
        autoLaunch: name === 'Care Gaps',
        ...(name === 'Growth Chart' ? { ehrTypes: ['meadow'] } : {}),
      })),
    }
    await api('PATCH', `/api/collections/${collection.id}`, { draft })
    await goTo(at(`collections/${collection.id}`))
    await page.getByRole('switch').first().waitFor()
    await picture('draft')
    await button('Add an EHR').first().click()
    await field('Name').fill('Harbour EHR')
    await field('EHR type').fill('harbour')
    await field('Addresses of its pages').fill('harbour')
    await button('Add it').click()
    await field('Addresses of its pages').and(page.locator('[aria-invalid]')).waitFor()
    await picture('ehr')
    await page.keyboard.press('Escape')
    await button('Review and publish version 1').click()
    await field('Note').fill('The first version')
    await picture('publish')
    await button('Publish version 1').click()
    await page.getByText('Same as version 1').waitFor()
    await button('Let a practice run it').click()
    await page.getByRole('combobox', { name: 'Practice' }).fill('lake')
    await page.getByRole('option').first().waitFor()
    await picture('practice')
    await page.getByRole('option').first().click()
    await button('Run it').click()
    await page.getByText('the latest (now 1)').waitFor()
    await page.getByRole('switch', { name: 'Coding Watch on Summit EHR' }).click()
    await page.getByText('Draft differs from version 1').waitFor()
    await button('Review and publish version 2').click()
    await page.getByText(/follows the latest/).waitFor()
    await picture('changes')
    await button('Publish version 2').click()
    await page.getByText('Same as version 2').waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('What it changed').first().click()
    await page.getByText('Coding Watch on Summit EHR').waitFor()
    await picture('versions')
    await button(/^Make it the draft/).click()
    await picture('roll-back')
  },
})

const conflictsAndReaders = ({
  stage,
  picture,
  button,
  field,
  at,
  goTo,
  collection,
}: Tools): Scenario => ({
  title: 'what runs where: new, pinned, two people, no connection, a reader',
  async run() {
    const { fixture, admin } = stage
    const { api, accountId } = fixture
    await api('POST', '/api/collections', {
      accountId,
      name: `"><img src=x onerror=window.ran=1>${'W'.repeat(80)}`,
    })
    const page = await beginPage(fixture)
    await fixture.signIn(admin, at('collections'))
    await page.locator('tbody tr').nth(1).waitFor()
    await picture('list')
    await button('New collection').click()
    await button('Make it').click()
    await page.getByText('Enter a name.').waitFor()
    await picture('new')
    await field('Name').fill('Cardiology')
    await page.keyboard.press('Enter')
    await fixture.heading('Cardiology')
    await picture('blank')
    await goTo(at(`collections/${collection.id}`))
    await button(/^Change the version of/).click()
    await field('Version').selectOption({ label: 'Version 1' })
    await button('Save').click()
    await page.getByText('pinned to 1').waitFor()
    await picture('pinned', page.getByText('pinned to 1'))
    await button('Add an app').click()
    await picture('add-app')
    await page.keyboard.press('Escape')
    const { draft } = await api('GET', `/api/collections/${collection.id}`)
    await api('PATCH', `/api/collections/${collection.id}`, { draft: { ...draft, apps: [] } })
    await page.getByRole('switch').first().click()
    await page.getByText('Another person has changed this draft').waitFor()
    await picture('conflict')
    await button('Take theirs').click()
    await api('PATCH', `/api/collections/${collection.id}`, { draft })
    await page.reload()
    await page.getByRole('switch').first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('switch').first().click()
    await page.getByText('You are offline').waitFor()
    await picture('offline')
    await page.context().setOffline(false)
    const reader = await fixture.addPerson('Dr. Amara Reader', 'developer')
    const theirs = await beginPage(fixture)
    await fixture.signIn(reader, at(`collections/${collection.id}`))
    await theirs.getByRole('heading', { name: 'Primary care' }).waitFor()
    await picture('reader')
  },
})
