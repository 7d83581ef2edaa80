// The states of people, settings and the frame: an account with an administrator, a developer and an invited
// provider. The scenarios of one stage follow each other.
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import type { Capture } from './captures.ts'
import { frameScenarios } from './frame-scenarios.ts'
import { peopleScenarios } from './people-scenarios.ts'
import type { ScenarioSet } from './scenarios.ts'
import { settingsScenarios } from './settings-scenarios.ts'

export const LAKESIDE = { email: 'amara.okafor@lakeside.example', name: 'Dr. Amara Okafor' }

export interface OfficeStage {
  fixture: ConsoleFixture
  developer: Credentials
}

export function buildOfficeScenarios(capture: Capture): ScenarioSet {
  const stage = {} as OfficeStage
  return {
    async start() {
      // A caller of another country is one behind a proxy.
      const fixture = await startConsole({ CHARTSIDE_TRUSTED_PROXIES: 'loopback' })
      Object.assign(stage, { fixture })
      stage.developer = await fixture.addPerson('Dana Developer', 'developer')
      await fixture.addPerson('Pat Admin', 'admin')
      const members = `/api/accounts/${fixture.accountId}/members`
      await fixture.api('POST', members, { ...LAKESIDE, role: 'provider' })
      await fixture.api('POST', '/api/accounts', { name: 'Sample Apps Inc.' })
      await fixture.api('POST', '/api/accounts', { name: 'Northgate Cardiology' })
    },
    stop: () => stage.fixture?.stop(),
    check: () => stage.fixture.assertPolicyKept(),
    scenarios: [
      ...frameScenarios(capture, stage),
      ...peopleScenarios(capture, stage),
      ...settingsScenarios(capture, stage),
    ],
  }
}
