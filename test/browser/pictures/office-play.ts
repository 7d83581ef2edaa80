// The states of people, settings and the frame: an account with an administrator, a developer and an invited
// provider. The chapters of one stage follow each other.
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import { frameChapters } from './frame-chapters.ts'
import { peopleChapters } from './people-chapters.ts'
import type { Play } from './plays.ts'
import { settingsChapters } from './settings-chapters.ts'
import type { Take } from './taking.ts'

export const LAKESIDE = { email: 'amara.okafor@lakeside.example', name: 'Dr. Amara Okafor' }

export interface OfficeStage {
  fixture: ConsoleFixture
  developer: Credentials
}

export function playOffice(take: Take): Play {
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
    chapters: [
      ...frameChapters(take, stage),
      ...peopleChapters(take, stage),
      ...settingsChapters(take, stage),
    ],
  }
}
