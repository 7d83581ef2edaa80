// A fake service for the handshake tests, in memory: launches, codes, tokens, introspection and the
// event stream of the session. A test ends or expires them on command. The real service has its own
// tests. Contract §2, §3.
import type { ServerResponse } from 'node:http'
import type { EhrSession, EndReason, Launch, OpenedLaunch } from '@chartside/protocol/launch'

interface Record {
  readonly opened: OpenedLaunch
  readonly accessToken: string
  readonly idToken: string
  state: Launch['state']
  code: string | null
}

/** The apps with a registered token endpoint. */
const WITH_TOKEN_ENDPOINT = ['token-endpoint', 'cleaned']

export class FakeService {
  /** Lifetime of the access tokens, as introspection answers it. */
  tokenLifetimeSeconds = 3600
  introspections = 0
  readonly steps: { launch: string; step: string; outcome: string; code?: string }[] = []
  readonly records: Record[] = []
  readonly #streams = new Set<ServerResponse>()
  readonly #followed = Promise.withResolvers<void>()
  /** Resolves once a host follows the stream of the session. */
  readonly followed = this.#followed.promise
  readonly #launchUrls: { readonly [appId: string]: string }
  readonly #tokenEndpoint: string

  constructor(launchUrls: { readonly [appId: string]: string }, tokenEndpoint: string) {
    this.#launchUrls = launchUrls
    this.#tokenEndpoint = tokenEndpoint
  }

  createLaunch(appId: string): OpenedLaunch {
    const id = `lau_${this.records.length + 1}`
    const launchId = `lnch_${id}`
    const launchUrl = new URL(this.#launchUrls[appId] ?? '')
    launchUrl.searchParams.set('launch_id', launchId)
    const payload = Buffer.from(JSON.stringify({ launch_id: launchId })).toString('base64url')
    const opened: OpenedLaunch = {
      id,
      launchId,
      kind: 'ui',
      launchUrl: launchUrl.href,
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      app: {
        id: appId,
        name: 'Visit Notes',
        origins: [launchUrl.origin],
        ...(WITH_TOKEN_ENDPOINT.includes(appId) ? { tokenEndpoint: this.#tokenEndpoint } : {}),
      },
      // A device per launch, so that a context in the wrong frame shows.
      seed: { ...SEED, deviceId: `dev_of_${id}` },
    }
    const accessToken = `at_secret_of_${id}`
    const idToken = `e30.${payload}.signature_of_${id}`
    this.records.push({ opened, accessToken, idToken, state: 'opened', code: null })
    return opened
  }

  authorize(launchId: string): string {
    const record = this.records.find(({ opened }) => opened.launchId === launchId)
    if (!record) throw new Error(`no launch ${launchId}`)
    record.code = `code_of_${record.opened.id}`
    record.state = 'authorized'
    return record.code
  }

  exchange(code: string): { access_token: string; id_token: string } | null {
    const record = this.records.find((candidate) => candidate.code === code)
    if (!record) return null
    record.code = null
    record.state = 'exchanged'
    return { access_token: record.accessToken, id_token: record.idToken }
  }

  introspect(token: string): object {
    this.introspections += 1
    const record = this.records.find(({ accessToken }) => accessToken === token)
    if (!record || record.state === 'ended') return { active: false }
    const exp = Math.floor(Date.now() / 1000) + this.tokenLifetimeSeconds
    return { active: true, launch_id: record.opened.launchId, client_id: 'cli_1', exp }
  }

  follow(stream: ServerResponse): void {
    stream.writeHead(200, {
      'content-type': 'text/event-stream',
      'access-control-allow-origin': '*',
    })
    stream.on('close', () => this.#streams.delete(stream))
    this.#streams.add(stream)
    this.#send('session', SESSION)
    this.#followed.resolve()
  }

  endLaunch(id: string, reason: EndReason = 'revoked'): void {
    const record = this.records.find(({ opened }) => opened.id === id)
    if (!record) throw new Error(`no launch ${id}`)
    record.state = 'ended'
    const ended = { at: new Date().toISOString(), reason }
    this.#send('launch', { id, state: 'ended', steps: [], ended })
  }

  /** As an app that still compiles does: each new step lets the host wait longer. */
  sendSteps(count: number): void {
    const at = new Date().toISOString()
    const step = { step: 'authorize', outcome: 'ok', at }
    const steps = Array.from({ length: count }, () => step)
    for (const { opened, state } of this.records) {
      if (state === 'opened') this.#send('launch', { id: opened.id, state, steps, spans: [] })
    }
  }

  endSession(reason: EndReason): void {
    for (const record of this.records) record.state = 'ended'
    this.#send('ended', { reason })
    for (const stream of this.#streams) stream.end()
  }

  #send(event: string, data: unknown): void {
    for (const stream of this.#streams) {
      stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    }
  }
}

const SEED = {
  userId: 'usr_1',
  account: { id: 'acc_1', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
}

export const SESSION: EhrSession = {
  id: SEED.sessionId,
  userId: SEED.userId,
  account: SEED.account,
  ehrType: SEED.ehrType,
  deviceId: SEED.deviceId,
  state: 'live',
  collection: null,
  ehr: null,
  apps: [],
  createdAt: '2026-01-01T00:00:00Z',
}
