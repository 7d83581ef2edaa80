// The states of apps and of what runs where: a practice that registers apps of its own, whose pages refuse to
// be framed, and publishes them. The scenarios of one stage follow each other.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import { appScenarios } from './app-scenarios.ts'
import type { Capture } from './captures.ts'
import { collectionScenarios } from './collection-scenarios.ts'
import type { ScenarioSet } from './scenarios.ts'

export interface SetupStage {
  fixture: ConsoleFixture
  /** Of the pages of the app. */
  origin: string
  developer: Credentials
  admin: Credentials
}

export function buildSetupScenarios(capture: Capture): ScenarioSet {
  const stage = {} as SetupStage
  const [registered, ...changed] = appScenarios(capture, stage)
  let pages: Server | undefined
  return {
    async start() {
      const fixture = await startConsole({ CHARTSIDE_ENVIRONMENT: 'development' })
      Object.assign(stage, { fixture })
      pages = createServer((_request, response) => {
        response.setHeader('x-frame-options', 'DENY')
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end('<!doctype html><title>Notes</title>')
      })
      const server = pages
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`
      const developer = await fixture.addPerson('Dana Developer', 'developer')
      const admin = await fixture.addPerson('Pat Admin', 'admin')
      Object.assign(stage, { origin, developer, admin })
    },
    async stop() {
      pages?.close()
      await stage.fixture?.stop()
    },
    check: () => stage.fixture.assertPolicyKept(),
    // The last ones give the practice another collection.
    scenarios: [
      ...(registered ? [registered] : []),
      ...collectionScenarios(capture, stage),
      ...changed,
    ],
  }
}
