// The published document is good enough to program against: types are made from it, a program that
// uses them compiles, mistakes do not, and the program runs against the service.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { administer } from './api-client/administration.ts'
import { testBrowser } from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const STORY = fileURLToPath(new URL('api-client/administration.ts', import.meta.url))

let node: TestService
let baseUrl: string
before(async () => {
  node = await startTestService()
  await node.server.listen({ port: 0, host: '127.0.0.1' })
  baseUrl = `http://127.0.0.1:${(node.server.server.address() as AddressInfo).port}`
})
after(() => node.close())

const OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  paths: { 'chartside-api': ['./chartside-api.ts'] },
}

/** Mistakes that the types have to catch; each line is checked to be one. */
const MISTAKES = `
import createClient from 'openapi-fetch'
import type { paths } from 'chartside-api'
const client = createClient<paths>({ baseUrl: '' })
// @ts-expect-error there is no such path
client.GET('/api/acounts', {})
// @ts-expect-error a flag is no text
client.POST('/api/apps', { body: { accountId: '', name: '', requirePkce: 'yes' } })
// @ts-expect-error a name is needed
client.POST('/api/accounts', { body: {} })
// @ts-expect-error the role is not one of an account
client.POST('/api/accounts/{id}/members', { params: { path: { id: '' } }, body: { email: '', name: '', role: 'owner' } })
// @ts-expect-error the identifier is missing
client.GET('/api/apps/{id}', {})
const { data } = await client.GET('/api/users/me', {})
// @ts-expect-error no password ever leaves
data?.password
`

test('a client generated from /openapi.json compiles strictly; wrong calls do not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-client-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const document = Buffer.from(await (await fetch(`${baseUrl}/openapi.json`)).arrayBuffer())
  const types = astToString(await openapiTS(document))
  assert.doesNotMatch(types, /: any\b/)
  writeFileSync(join(folder, 'chartside-api.ts'), types)
  writeFileSync(join(folder, 'mistakes.ts'), MISTAKES)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }),
  )
  copyFileSync(STORY, join(folder, 'administration.ts'))
  symlinkSync(modules, join(folder, 'node_modules'))
  const { status, stdout } = spawnSync(join(modules, '.bin', 'tsc'), ['-p', folder], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(status, 0, stdout)
})

test('the client administrates an account, a provider, an app and a collection', async () => {
  const done = await administer({
    baseUrl,
    administrator: ADMIN,
    async acceptInvitation(url, password) {
      const browser = testBrowser(node)
      const page = await browser.open(url)
      const answer = await browser.send(page, '/auth/invitation/password', { password })
      assert.equal(answer.status, 200, answer.html)
    },
  })
  assert.match(done.secret, /^cs_/)
  assert.deepEqual([done.app.requirePkce, done.app.iconUrl], [true, undefined])
  assert.equal(done.version.version, 1)
  assert.deepEqual(done.version.changes.apps.added, [done.app.id])
  assert.equal(done.me.memberships[0]?.account.id, done.account.id)
  assert.equal(done.session.ehr?.name, 'Meadow EHR')
  assert.deepEqual(
    done.session.apps.map(({ id }: { id: string }) => id),
    [done.app.id],
  )
  assert.equal(done.launch.app.id, done.app.id)
  assert.ok(done.launch.launchUrl.endsWith(`?launch_id=${done.launch.launchId}`))
  assert.deepEqual([done.items.length, done.items[0]?.id], [1, done.launch.id])
  assert.deepEqual([done.refused.response.status, done.refused.error?.code], [403, 'not_allowed'])
})
