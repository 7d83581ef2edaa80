// What a copy of the database gives away, and what it is worth without the master key: a backup is
// searched for every secret, restored, and started with the right and with another master key.
// Contract §1 and §2 (jwks), docs/operate/backup.md, security P05.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp, restore } from '../../operator/src/copy/backup.ts'
import { listSigningKeys } from '../src/keys/key-store.ts'
import { masterKeysOf, unseal } from '../src/keys/master-key.ts'
import { codeAt, readSecret } from './authenticator.ts'
import { authorize, exchange, freshCode, isActive, type Story, startStory } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

const MASTER = Buffer.alloc(32, 7).toString('base64')
const ANOTHER = Buffer.alloc(32, 8).toString('base64')

const kidOf = (jwt: string): string =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid

/** Each spelling in which a secret may stand in a file. */
function spell(secret: Buffer): Buffer[] {
  const texts = (['base64', 'base64url', 'hex'] as const).map((name) => secret.toString(name))
  return [secret, ...texts.map((text) => Buffer.from(text))]
}

/** Uses the service so that it holds one secret of every kind; gives them by name. */
async function leaveSecrets(story: Story): Promise<Map<string, Buffer[]>> {
  const { service } = story.service
  const { launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const { access_token: token, id_token: idToken } = (await exchange(story, code)).json()
  const factor = '/api/users/me/second-factor'
  const { secret: shown } = (await story.api('POST', factor)).json()
  const totp = readSecret(shown)
  const confirm = { code: codeAt(totp, service.clock()) }
  assert.equal((await story.api('POST', `${factor}/confirm`, confirm)).statusCode, 200)

  const values = { launchId, code, token, idToken, secret: story.app.secret }
  const texts = { ...values, session: story.adminToken, password: ADMIN.password, master: MASTER }
  const found = new Map(Object.entries(texts).map(([name, text]) => [name, [Buffer.from(text)]]))
  found.set('second factor', [Buffer.from(shown), ...spell(totp)])
  found.set('master key', spell(Buffer.from(MASTER, 'base64')))
  const masters = masterKeysOf(service.config, service.randomness)
  for (const { kid, sealed } of await listSigningKeys(service.db)) {
    // The beginning of PKCS #8 is the same for every key. A multiple of three lies alike in base64.
    const der = unseal(masters, kid, sealed)
    found.set(`private key ${kid}`, spell(der.subarray(600, 648)))
  }
  return found
}

test('stores no secret in the clear; a backup works with its master key only [P05]', async (t) => {
  const story = await startStory({ CHARTSIDE_MASTER_KEY: MASTER })
  t.after(() => story.close())
  const directory = mkdtempSync(join(tmpdir(), 'chartside-drill-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const secrets = await leaveSecrets(story)
  const { id_token: idToken, access_token: token } = (
    await exchange(story, await freshCode(story))
  ).json()
  const { clock, config } = story.service.service
  const file = join(directory, 'backup.db')
  await backUp({ from: config.databaseUrl, file }, { clock })

  const bytes = readFileSync(file)
  assert.ok(bytes.includes(story.app.clientId), 'the search finds what is stored')
  const clear = [...secrets].filter(([, spellings]) => spellings.some((one) => bytes.includes(one)))
  assert.deepEqual(
    clear.map(([name]) => name),
    [],
  )
  assert.ok(secrets.size >= 11)

  const databaseUrl = `file:${join(directory, 'restored', 'chartside.db')}`
  await restore({ file, to: databaseUrl, replace: false, clock })
  const start = (master: string) =>
    startTestService(
      { CHARTSIDE_DATABASE_URL: databaseUrl, CHARTSIDE_MASTER_KEY: master },
      { beside: story.service, dataDir: join(directory, 'data') },
    )
  await assert.rejects(start(ANOTHER), /master key/i)
  const restored = await start(MASTER)
  t.after(() => restored.close())
  const there: Story = { ...story, request: (options) => restored.server.inject(options) }
  assert.equal(await isActive(there, token), true)
  const next = await exchange(there, await freshCode(story)).then((answer) => answer.statusCode)
  assert.equal(next, 400, 'a code that was issued after the backup is unknown there')
  const { keys } = (await restored.server.inject('/app-auth/.well-known/jwks.json')).json()
  assert.ok(keys.some(({ kid }: { kid: string }) => kid === kidOf(idToken)))
})
