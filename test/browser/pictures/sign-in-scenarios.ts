// The states of the sign-in pages and of errors that a person sees outside of the console: each is reached in a
// new profile, on the service with a provider beside it; an outage is played on it, too.
import { DatabaseUnavailable } from '../../../packages/server/src/db/database.ts'
import { type SignInFixture, startFixture } from '../sign-in-fixture.ts'
import { type Capture, SIZE } from './captures.ts'
import type { Scenario, ScenarioSet } from './scenarios.ts'
import { reachSignInPages } from './sign-in-pages.ts'

export function buildSignInScenarios(capture: Capture): ScenarioSet {
  let fixture: SignInFixture
  const picture = (name: string) => capture(fixture.page, 'signIn', name)
  const goTo = (url: string) => fixture.page.goto(url)
  const begin = async () => {
    await fixture.begin({ viewport: SIZE, reducedMotion: 'reduce' })
  }
  const pages: Scenario = {
    title: 'sign-in: every page of a person',
    async run() {
      for (const [name, reach] of Object.entries(reachSignInPages(fixture))) {
        await begin()
        await reach()
        await picture(name)
      }
    },
  }
  const outage: Scenario = {
    title: 'sign-in: an outage',
    async run() {
      const { db } = fixture.service.service
      const { read } = db
      await begin()
      const { url } = fixture.newClient()
      const away = () => Promise.reject(new DatabaseUnavailable(new Error('away')))
      Object.assign(db, { read: away })
      try {
        await goTo(url)
        await fixture.heading('Signing in is not possible right now')
        await picture('outage')
      } finally {
        Object.assign(db, { read })
      }
    },
  }
  return {
    async start() {
      fixture = await startFixture()
    },
    stop: () => fixture?.stop(),
    check: async () => {},
    scenarios: [pages, outage],
  }
}
