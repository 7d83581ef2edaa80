// The app of a run: one of a folder, which the run starts, or one that already runs at an address with the
// settings of a run. Owns the addresses of the app, of the service and of the panel. Contract §15.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildAppEnvironment, formatEnvironment } from '@chartside/protocol/app-environment'
import {
  fillRegistration,
  MANIFEST_FILE,
  parseManifestText,
  type Registration,
} from '@chartside/protocol/app-manifest'
import type { FakeIssuer, FakeIssuerOptions } from '@chartside/test-kit'
import { AppProcess, choosePlace, RunError } from './app-process.ts'

/** An app that answers. */
export interface RunningApp {
  /** @throws RunError: it answers no more */
  requireRunning(when: string): void | Promise<void>
  stop(): void | Promise<void>
}

export interface AppSource {
  readonly name: string
  readonly directory: string
  /** The registration with the addresses of the run. */
  readonly registration: Registration
  readonly appOrigin: string
  /** An app at an address knows these of the service; of a folder it is given what comes. */
  readonly issuer: Pick<FakeIssuerOptions, 'port' | 'clientSecret'>
  readonly panelPort: number
  /** The advice for an app that does not open: what it may lack. Empty: nothing that is known. */
  readonly advice: string
  /** @throws RunError */
  start(issuer: FakeIssuer, panelOrigin: string): Promise<RunningApp>
}

const DEFAULT_PORT = 4790
/** It opens nothing: the service of a run has launches of its own alone, on loopback. */
const CLIENT_SECRET = 'cs_of_a_fault_run'
const ANSWER_MS = 10_000

const isAddress = (app: string): boolean => /^https?:\/\//.test(app)

/** Returns where the app is developed: the folder of the app, or that in which an address is given. */
export const folderOf = (app: string): string => resolve(isAddress(app) ? '.' : app)

/**
 * `app` is a folder with chartside.app.json, or the Launch URL of an app that runs.
 * @throws ManifestError, RunError
 */
export const findApp = (app: string, env: NodeJS.ProcessEnv): Promise<AppSource> =>
  isAddress(app) ? findAddress(new URL(app), env) : findFolder(folderOf(app))

const readManifest = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, MANIFEST_FILE), 'utf8').catch(() => undefined)

async function findFolder(directory: string): Promise<AppSource> {
  const manifest = parseManifestText(await readManifest(directory), directory)
  const place = await choosePlace(manifest)
  return {
    name: manifest.registration.name,
    directory,
    registration: fillRegistration(manifest.registration, place.origins),
    appOrigin: place.origins.origin ?? '',
    issuer: {},
    panelPort: 0,
    advice: '',
    start: (issuer, panelOrigin) => AppProcess.start(manifest, place, issuer, panelOrigin),
  }
}

/** The manifest of the folder in which the command runs says more than the address alone: a token endpoint. */
async function findAddress(address: URL, env: NodeJS.ProcessEnv): Promise<AppSource> {
  const directory = folderOf(address.href)
  const text = await readManifest(directory)
  const { origin, pathname } = address
  const found = text === undefined ? undefined : parseManifestText(text, directory).registration
  const launchUrl = pathname === '/' ? `${origin}/launch` : address.href
  const registration = found
    ? fillRegistration(found, { origin })
    : { ...NOT_REGISTERED, name: address.host, launchUrl }
  const port = parsePort(env.CHARTSIDE_FAULTS_PORT)
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = buildAppEnvironment({
    ...{ clientId: `cli_${'0'.repeat(32)}`, clientSecret: CLIENT_SECRET, publicUrl: origin },
    ...{ baseUrl, tokenUrl: `${baseUrl}/app-auth/token` },
    frameAncestors: [`http://panel.localhost:${port + 1}`],
  })
  const advice = `Start it with these settings, then play again:\n${formatEnvironment(settings)}`
  const requireRunning = async (when: string): Promise<void> => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(origin, { signal, redirect: 'manual' }).catch(() => undefined)
    await answer?.body?.cancel()
    if (!answer) throw new RunError(`Nothing answers at ${origin} ${when}. ${advice}`)
  }
  return {
    ...{ name: registration.name, directory, registration, appOrigin: origin },
    issuer: { port, clientSecret: CLIENT_SECRET },
    panelPort: port + 1,
    advice,
    start: async () => {
      await requireRunning('before the run')
      return { requireRunning, stop: () => {} }
    },
  }
}

/** Its redirect URIs are taken as it sends them, on its own origin. */
const NOT_REGISTERED: Omit<Registration, 'name' | 'launchUrl'> = {
  ...{ workerLaunchUrl: null, redirectUris: [], tokenEndpoint: null, backchannelLogoutUri: null },
  ...{ allowedIframeUrls: [], exchange: 'app', requirePkce: false },
}

function parsePort(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT)
  if (Number.isInteger(port) && port >= 1024 && port < 65_535) return port
  throw new RunError(`CHARTSIDE_FAULTS_PORT is "${text}"; give a number from 1024 to 65534.`)
}
