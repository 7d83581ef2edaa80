// chartside.app.json: its meaning, and that its reader and its JSON schema refuse the same field.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  fillRegistration,
  ManifestError,
  parseManifest,
} from '../packages/protocol/src/app-manifest.ts'
import { buildManifestSchema } from '../packages/protocol/src/app-manifest-schema.ts'
import { findSchemaErrors } from '../packages/server/src/http/input/schema-check.ts'

const schema = buildManifestSchema()

const whole = {
  name: 'My App',
  kinds: ['ui', 'worker'],
  launchUrl: '{origin}/launch?from=panel',
  workerLaunchUrl: '{origin}/worker',
  redirectUris: ['{origin}/callback', 'http://localhost:3000/callback'],
  tokenEndpoint: '{origin}/token',
  backchannelLogoutUri: '{origin}/logout',
  allowedIframeUrls: ['{origin.provider}/'],
  exchange: 'token_endpoint',
  requirePkce: true,
  origins: ['provider'],
}

test('parses every field and fills in the addresses of a run', () => {
  const { slug, autoLaunch, start, registration } = parseManifest(whole, '../my-app')
  assert.deepEqual([slug, autoLaunch, start], ['my-app', true, 'npm start'])
  const origins = { origin: 'http://a.localhost:1', 'origin.provider': 'http://p.localhost:2' }
  assert.deepEqual(fillRegistration(registration, origins), {
    name: 'My App',
    launchUrl: 'http://a.localhost:1/launch?from=panel',
    workerLaunchUrl: 'http://a.localhost:1/worker',
    redirectUris: ['http://a.localhost:1/callback', 'http://localhost:3000/callback'],
    tokenEndpoint: 'http://a.localhost:1/token',
    backchannelLogoutUri: 'http://a.localhost:1/logout',
    allowedIframeUrls: ['http://p.localhost:2/'],
    exchange: 'token_endpoint',
    requirePkce: true,
  })
})

test('requires a name, a kind, its Launch URL and a redirect URI only', () => {
  const { name, launchUrl, redirectUris } = whole
  const least = { name, kinds: ['ui'], launchUrl, redirectUris }
  const { registration, autoLaunch, port } = parseManifest(least, '.')
  assert.equal(registration.exchange, 'app')
  assert.deepEqual([autoLaunch, port], [false, null])
})

const WRONG: [field: string, change: object][] = [
  ['name', { name: '  ' }],
  ['name', { name: undefined }],
  ['kinds', { kinds: ['panel'] }],
  ['kinds', { kinds: [] }],
  ['launchUrl', { launchUrl: undefined }],
  ['launchUrl', { launchUrl: '/launch' }],
  ['workerLaunchUrl', { kinds: ['ui'] }],
  ['redirectUris', { redirectUris: '{origin}/callback' }],
  ['redirectUris', { redirectUris: [] }],
  ['tokenEndpoint', { tokenEndpoint: 7 }],
  ['allowedIframeUrls', { allowedIframeUrls: ['*'] }],
  ['exchange', { exchange: 'server' }],
  ['requirePkce', { requirePkce: 'yes' }],
  ['port', { port: 80 }],
  ['origins', { origins: ['Provider!'] }],
  ['origins', { origins: ['provider', 'provider'] }],
  ['origins', { origins: [['provider']] }],
  ['constructor', { constructor: 'x' }],
  ['toString', { toString: 'x' }],
  ['__proto__', JSON.parse('{ "__proto__": {} }')],
  ['launchURL', { launchURL: '{origin}/launch' }],
  ['{origin.other}', { launchUrl: '{origin.other}/launch' }],
]
/** The fields in which an editor sees a mistake. */
function wrongBySchema(content: unknown): string[] {
  const errors = findSchemaErrors(schema, content) ?? []
  return errors.map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty } = params
    return missingProperty ?? additionalProperty ?? instancePath.split('/')[1] ?? ''
  })
}

for (const [field, change] of WRONG) {
  test(`reader and schema name a wrong ${field}: ${JSON.stringify(change)}`, () => {
    const content = JSON.parse(JSON.stringify({ ...whole, ...change }))
    // Which placeholders there are depends on another field: only the reader compares them.
    if (field.startsWith('{')) assert.deepEqual(wrongBySchema(content), [])
    else assert.ok(wrongBySchema(content).includes(field), `${wrongBySchema(content)}`)
    assert.throws(
      () => parseManifest(content, '../my-app'),
      (error: unknown) => {
        assert.ok(error instanceof ManifestError)
        assert.ok(
          error.message.startsWith(`../my-app/chartside.app.json: ${field} `),
          error.message,
        )
        return true
      },
    )
  })
}

test('every manifest of the repository passes reader and schema, and names the schema', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('{examples/*,packages/*/test/*}/chartside.app.json', { cwd: root })
  assert.ok(files.length >= 6, `${files}`)
  for (const file of files) {
    const content = JSON.parse(readFileSync(join(root, file), 'utf8'))
    parseManifest(content, dirname(file))
    assert.deepEqual(findSchemaErrors(schema, content), undefined, file)
    if (!file.startsWith('examples/')) continue
    const named = join(dirname(file), content.$schema)
    assert.equal(named, 'packages/docs-site/dist/chartside.app.schema.json')
  }
})
