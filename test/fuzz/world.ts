// The service that the fuzzer attacks: two tenants with a record of each kind, a user of each role, and every kind of
// credential, made again after each change. The names of the foreign tenant are canaries: no answer may hold one.
import { sql } from '../../packages/server/src/db/sql.ts'
import {
  createFixture,
  type Fixture,
  secondMethod,
} from '../../packages/server/test/account-fixture.ts'
import { codeAt, readSecret } from '../../packages/server/test/authenticator.ts'
import {
  HOST_ORIGIN,
  startTestService,
  type TestService,
} from '../../packages/server/test/test-service.ts'
import { buildAssertion, STORED_KEYS } from './assertion-values.ts'
import { openPage } from './page-states.ts'
import { type StubProvider, startStubProvider } from './stub-provider.ts'

export const CANARY = 'Vaultkeeper'
/** The password of the own users; the hash is replaced, because the fuzzer tests no hash. */
const PASSWORD = 'a few words, well chosen'
const hashOf = (password: string) => `plain:${password}`

export interface World {
  readonly node: TestService
  /** Makes what the cases of this route need, and everything again after a change. */
  prepare(operation: string): Promise<void>
  /** Puts the present identifiers and secrets in. */
  fill(text: string): string
  /** The next case begins with new tenants. */
  renewBeforeNext(): void
  /** What no log may hold. */
  readonly secrets: readonly string[]
  /** Whether the rows of the foreign tenant are as they were made. */
  isForeignUntouched(): Promise<boolean>
  renewForeign(): Promise<void>
  close(): Promise<void>
}

type Values = Record<string, string>

const NONE: Values = {
  'no.account': 'acc_0000000000000000000000',
  'no.app': 'app_0000000000000000000000',
  'no.collection': 'col_0000000000000000000000',
  'no.session': 'ses_0000000000000000000000',
  'no.launch': 'lau_0000000000000000000000',
  'no.user': 'usr_0000000000000000000000',
  'no.secret': 'sec_0000000000000000000000',
}

/** Users of these operations have a second factor: unconfirmed, or on. */
const FACTOR: Readonly<Record<string, 'pending' | 'on'>> = {
  confirmSecondFactor: 'pending',
  replaceRecoveryCodes: 'on',
  removeSecondFactor: 'on',
  verifySecondFactor: 'on',
  signIn: 'on',
}

export async function startWorld(): Promise<World> {
  const provider = await startStubProvider()
  const node = await startTestService({
    CHARTSIDE_TRUSTED_PROXIES: 'loopback',
    CHARTSIDE_OIDC_ISSUER: provider.issuer,
    CHARTSIDE_OIDC_CLIENT_ID: 'chartside',
    CHARTSIDE_OIDC_CLIENT_SECRET: 'a secret of the test client',
    CHARTSIDE_OIDC_NAME: 'Lakeside Login',
  })
  Object.assign(node.service, {
    passwords: {
      attempt: (work: () => Promise<unknown>) => work(),
      hash: async (password: string) => hashOf(password),
      isCorrect: async (password: string, stored: string | undefined) =>
        stored === hashOf(password),
    },
  })
  return new FuzzedWorld(node, provider)
}

class FuzzedWorld implements World {
  readonly node: TestService
  readonly #provider: StubProvider
  #own: Values = {}
  #foreign: Values = {}
  #page: Values = {}
  #fixture: Fixture | undefined
  #factorFor = ''
  #isStale = true
  #foreignRows = ''

  constructor(node: TestService, provider: StubProvider) {
    this.node = node
    this.#provider = provider
  }

  get secrets(): readonly string[] {
    return Object.entries({ ...this.#own, ...this.#foreign, ...this.#page })
      .filter(([name, value]) => SECRET_NAMES.test(name) && value.length > 20)
      .map(([, value]) => value)
  }

  renewBeforeNext(): void {
    this.#isStale = true
  }

  async prepare(operation: string): Promise<void> {
    this.node.clock.advance(1)
    const factor = FACTOR[operation] ?? ''
    if (this.#foreignRows === '') await this.renewForeign()
    if (this.#isStale || this.#factorFor !== factor) {
      await this.#renewOwn()
      if (factor) await this.#setUpFactor(factor)
      this.#factorFor = factor
      this.#isStale = false
    }
    const provider = this.#fixture?.people.provider
    if (!provider) return
    this.#page = await openPage(operation, this.node, {
      userId: provider.id,
      methodId: provider.methodId,
      accountId: this.#own['own.account'] ?? '',
      admin: this.#fixture?.people.accountAdmin.token ?? '',
      issuer: this.#provider.issuer,
    })
  }

  fill(text: string): string {
    return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
      if (name === 'own.totp') return this.#totp()
      if (name.startsWith('assertion.')) return this.#assertion(name.slice('assertion.'.length))
      return this.#own[name] ?? this.#foreign[name] ?? this.#page[name] ?? NONE[name] ?? ''
    })
  }

  #assertion(variant: string): string {
    const { issuerUrl } = this.node.service.config
    return buildAssertion(variant, this.#own['own.clientId'] ?? '', issuerUrl, this.node.clock())
  }

  #totp(): string {
    const secret = this.#own['own.totpSecret']
    return secret ? codeAt(readSecret(secret), this.node.clock()) : '000000'
  }

  async isForeignUntouched(): Promise<boolean> {
    return (await this.#readForeign()) === this.#foreignRows
  }

  async close(): Promise<void> {
    await this.node.close()
    await this.#provider.stop()
  }

  async #renewOwn(): Promise<void> {
    const made = await this.#makeTenant('own')
    this.#own = made.values
    this.#fixture = made.fixture
    const { provider, outsider, ended } = made
    const { db } = this.node.service
    await db.write(
      sql`UPDATE login_methods SET password_hash = ${hashOf(PASSWORD)} WHERE id = ${provider.methodId}`,
    )
    const ofApp = sql`UPDATE apps SET jwks = ${STORED_KEYS} WHERE id = ${this.#own['own.app'] ?? ''}`
    await db.write(secondMethod(provider), ofApp)
    this.node.service.apps.forget()
    this.#own['own.email'] = `${provider.id}@test.example`
    this.#own['own.outsider'] = outsider.token
    this.#own['own.endedToken'] = ended.token
    await this.#call('POST', '/auth/sign-out', {}, ended.token)
  }

  async renewForeign(): Promise<void> {
    const { values, fixture } = await this.#makeTenant('foreign')
    this.#foreign = values
    const { db, apps } = this.node.service
    for (const [i, actor] of Object.values(fixture.people).entries()) {
      await db.write(
        sql`UPDATE users SET name = ${`${CANARY} person ${i}`},
          email = ${`${CANARY}-${actor.id}@vault.example`} WHERE id = ${actor.id}`,
      )
    }
    await db.write(
      sql`UPDATE accounts SET name = ${`${CANARY} practice`} WHERE id = ${fixture.accountId}`,
      sql`UPDATE apps SET name = ${`${CANARY} app`} WHERE account_id = ${fixture.accountId}`,
      sql`UPDATE collections SET name = ${`${CANARY} collection`}, description = ${CANARY}
        WHERE account_id = ${fixture.accountId}`,
    )
    apps.forget()
    this.#foreignRows = await this.#readForeign()
  }

  /** All rows of the foreign tenant that only its own people may change. */
  async #readForeign(): Promise<string> {
    const { db } = this.node.service
    const account = this.#foreign['foreign.account'] ?? ''
    const user = this.#foreign['foreign.user'] ?? ''
    const app = this.#foreign['foreign.app'] ?? ''
    const rows = await Promise.all([
      db.read(sql`SELECT * FROM accounts WHERE id = ${account}`),
      db.read(sql`SELECT * FROM members WHERE account_id = ${account} ORDER BY user_id`),
      db.read(sql`SELECT * FROM apps WHERE account_id = ${account} ORDER BY id`),
      db.read(sql`SELECT * FROM collections WHERE account_id = ${account} ORDER BY id`),
      db.read(sql`SELECT id, ended_at FROM ehr_sessions WHERE account_id = ${account} ORDER BY id`),
      db.read(sql`SELECT id FROM client_secrets WHERE app_id = ${app} ORDER BY id`),
      db.read(sql`SELECT id FROM invitations WHERE account_id = ${account} ORDER BY id`),
      db.read(sql`SELECT id, password_hash FROM login_methods WHERE user_id = ${user} ORDER BY id`),
      db.read(sql`SELECT id FROM users WHERE id = ${user}`),
    ])
    return JSON.stringify(rows)
  }

  async #setUpFactor(kind: 'pending' | 'on'): Promise<void> {
    const token = this.#own['own.provider'] ?? ''
    const made = await this.#call('POST', '/api/users/me/second-factor', undefined, token)
    this.#own['own.totpSecret'] = String(made.secret ?? '')
    if (kind === 'pending') return
    const body = { code: this.#totp() }
    await this.#call('POST', '/api/users/me/second-factor/confirm', body, token)
    // Each code counts once.
    this.node.clock.advance(60)
  }

  async #call(method: 'GET' | 'POST', url: string, payload?: object, token = '', basic = '') {
    const authorization = basic ? `Basic ${basic}` : `Bearer ${token}`
    const answer = await this.node.server.inject({
      method,
      url,
      headers: { authorization },
      ...(payload ? { payload } : {}),
    })
    return answer.body ? (answer.json() as Record<string, unknown>) : {}
  }

  /** A practice with its people, records and a launch of each state. */
  async #makeTenant(name: 'own' | 'foreign') {
    const fixture = await createFixture(this.node)
    const { people, app, secret, secretId, tokenId, providerId, accountId, collectionId } = fixture
    const { provider, developer, accountAdmin, otherAdmin, platformAdmin } = people
    const { token } = provider
    const opening = { accountId, ehrType: 'meadow', deviceId: 'exam-room-2' }
    const session = String((await this.#call('POST', '/api/sessions', opening, token)).id)
    const launch = () =>
      this.#call('POST', `/api/sessions/${session}/launches`, { appId: app.id, kind: 'ui' }, token)
    const live = await launch()
    const coded = await launch()
    const spent = await launch()
    const basic = Buffer.from(`${app.clientId}:${secret}`).toString('base64')
    const [redirectUri = ''] = app.redirectUris
    const codeOf = async (launchId: unknown) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        launch: String(launchId),
        scope: 'launch openid profile email',
        redirect_uri: redirectUri,
        state: `${launchId}:csrf`,
      })
      const answer = await this.node.server.inject({ url: `/app-auth/authorize?${query}` })
      return new URL(String(answer.headers.location)).searchParams.get('code') ?? ''
    }
    const code = await codeOf(coded.launchId)
    const spentCode = await codeOf(spent.launchId)
    const grant = { grant_type: 'authorization_code', code: spentCode }
    const tokens = await this.#call('POST', '/app-auth/token', grant, '', basic)
    const keyOf = { accountId, name: 'Pipeline' }
    const developers = '/api/users/me/developer-keys'
    const { key } = await this.#call('POST', developers, keyOf, developer.token)
    const values: Values = Object.fromEntries(
      Object.entries({
        account: accountId,
        app: app.id,
        collection: collectionId,
        session,
        launch: live.id,
        user: provider.id,
        secret: secretId,
        directoryToken: tokenId,
        identityProvider: providerId,
        webhook: fixture.webhookId,
        domain: fixture.domainId,
        method: provider.methodId,
        clientId: app.clientId,
        clientSecret: secret,
        basic,
        redirectUri,
        launchId: live.launchId,
        spentLaunchId: spent.launchId,
        code,
        spentCode,
        accessToken: tokens.access_token,
        idToken: tokens.id_token,
        hostOrigin: HOST_ORIGIN,
        provider: token,
        session_token: token,
        developer: developer.token,
        developerKey: key,
        accountAdmin: accountAdmin.token,
        platformAdmin: platformAdmin.token,
      }).map(([key, value]) => [`${name}.${key}`, String(value)]),
    )
    const ended = (await createFixture(this.node)).people.provider
    return { fixture, values, provider, outsider: otherAdmin, ended }
  }
}

const SECRET_NAMES =
  /\.(clientSecret|basic|launchId|spentLaunchId|code|spentCode|accessToken|idToken|provider|developer|developerKey|accountAdmin|platformAdmin|outsider|endedToken|session_token|totpSecret|cookieValue|pollVerifier|token)$/
