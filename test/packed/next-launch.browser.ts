// The production build of a new app with Next.js beside the chart: installed, built, started by the sandbox and
// launched in Chromium. Its other options and its development are in test/browser/create.next.ts. Spec §5.1, §5.5.
import { after, before, test } from 'node:test'
import { buildNext } from '@chartside/app-kit/node'
import { followApp, type StartedApps, startBuilt, startNewApps } from '../browser/new-apps.ts'

const NAME = 'Next Round'

let started: StartedApps
before(async () => {
  started = await startNewApps({ [NAME]: ['--option=1', '--framework=next'] }, (directory) => {
    startBuilt(directory)
    return buildNext(directory)
  })
})
after(() => started?.stop())

test('launches the production build of a new app with Next.js, and closes it', async () => {
  await followApp(started, NAME)
})
