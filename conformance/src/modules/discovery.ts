// Modules on what a client reads first: the metadata in each place, the key set, and whether the
// document promises only what answers. OpenID Connect Discovery 1.0, RFC 8414, RFC 7517.
import { fetchKeys } from '../id-token.ts'
import { insertedUrl, openidConfigurationUrl } from '../metadata.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const WHERE = 'The metadata document; behind a proxy, the base URL that the service is set to.'

/** Members whose value is a list, and what it must contain. */
const LISTS: readonly [string, string][] = [
  ['response_types_supported', 'code'],
  ['subject_types_supported', ''],
  ['id_token_signing_alg_values_supported', 'RS256'],
]

const isSecure = (address: string) => {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(url?.hostname ?? '')
}

async function verifyConfiguration(t: ModuleContext): Promise<void> {
  const answer = await t.send(openidConfigurationUrl(t.target.issuer))
  t.equal(answer.status, 200, 'the status')
  const type = answer.headers.get('content-type') ?? ''
  t.check(/^application\/json\b/.test(type), 'the media type is application/json', type)
  const document = answer.json ?? {}
  t.equal(document.issuer, t.target.issuer, 'issuer')
  for (const [name, needed] of LISTS) {
    const list = document[name]
    const isRight = Array.isArray(list) && list.length > 0 && (!needed || list.includes(needed))
    t.check(isRight, `${name} is a list${needed && ` with ${needed}`}`, JSON.stringify(list))
  }
  const scopes = document.scopes_supported
  t.check(
    scopes === undefined || (Array.isArray(scopes) && scopes.includes('openid')),
    'scopes_supported has openid',
    JSON.stringify(scopes),
  )
  for (const [name, value] of Object.entries(document)) {
    if (!/_endpoint$|^jwks_uri$/.test(name)) continue
    const isRight = typeof value === 'string' && isSecure(value) && !value.includes('#')
    t.check(isRight, `${name} is an https address without a fragment`, JSON.stringify(value))
  }
  for (const name of ['ui_locales_supported', 'claims_locales_supported']) {
    const tags = document[name]
    const isTags = Array.isArray(tags) && tags.every((tag) => /^[A-Za-z]{2,8}(-\w+)*$/.test(tag))
    t.check(tags === undefined || isTags, `${name} has language tags`, JSON.stringify(tags))
  }
  const claims = document.claims_supported
  t.advise(Array.isArray(claims), 'claims_supported is listed', JSON.stringify(claims))
}

async function verifyKeys(t: ModuleContext): Promise<void> {
  const { keys } = await fetchKeys(t)
  t.check(keys.length > 0, 'the key set has a key', 'none')
  const ids = keys.map(({ kid }) => kid)
  t.check(new Set(ids).size === ids.length, 'each kid is unique', ids.join(' '))
  for (const key of keys) {
    const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].filter((part) => part in key)
    t.check(secret.length === 0, `key ${key.kid} is public`, `it has ${secret.join(', ')}`)
    t.check(typeof key.kid === 'string', 'the key has a kid', JSON.stringify(key.kid))
    t.check(key.use === undefined || key.use === 'sig', 'use is sig', String(key.use))
    if (key.kty !== 'RSA') continue
    const bits = Buffer.from(key.n ?? '', 'base64url').length * 8
    t.check(bits >= 2048, `key ${key.kid} has 2048 bits or more`, `${bits}`)
  }
}

/** Members that must agree wherever the metadata stands. */
const SAME = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

async function compareMetadata(t: ModuleContext, url: string): Promise<void> {
  const answer = await t.send(url)
  t.check(
    answer.status === 200 && Boolean(answer.json),
    `${url} answers 200`,
    describeAnswer(answer),
  )
  for (const name of SAME) t.equal(answer.json?.[name], t.metadata[name], name)
}

async function verifyEndpoints(t: ModuleContext): Promise<void> {
  for (const [name, value] of Object.entries(t.metadata)) {
    if (!/_endpoint$|_uri$/.test(name) || typeof value !== 'string') continue
    const { origin } = new URL(value)
    if (origin !== new URL(t.target.issuer).origin) {
      t.note(`${name} is at another origin, which is not asked.`)
      continue
    }
    // Some services answer 404 to a method that an endpoint does not take.
    const opened = await t.send(value)
    const answer = opened.status === 404 ? await t.send(value, { form: {} }) : opened
    const isThere = answer.status !== 404 && answer.status < 500
    t.check(isThere, `${name} answers at ${value}`, describeAnswer(answer))
  }
}

async function verifyCaching(t: ModuleContext): Promise<void> {
  for (const url of [openidConfigurationUrl(t.target.issuer), t.metadata.jwks_uri]) {
    const answer = await t.send(url, { headers: { origin: 'https://page.conformance.example' } })
    const { pathname } = new URL(url)
    const origin = answer.headers.get('access-control-allow-origin')
    t.advise(origin !== null, `${pathname} can be read by a page (CORS)`, 'no header')
    const control = answer.headers.get('cache-control') ?? ''
    t.advise(/max-age=[1-9]/.test(control), `${pathname} has a cache lifetime`, control || 'none')
  }
}

export const DISCOVERY_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-discovery-endpoint-verification',
    title: 'the discovery document has what OpenID Connect requires',
    source: 'OpenID Connect Discovery 1.0, 3 and 4.2; Config OP plan',
    where: WHERE,
    run: verifyConfiguration,
  },
  {
    id: 'rfc7517-key-set',
    title: 'the key set has public keys with unique ids and enough bits',
    source: 'RFC 7517, 4 and 5; RFC 7518, 3.3',
    where: 'The document at jwks_uri.',
    run: verifyKeys,
  },
  {
    id: 'rfc8414-inserted-path',
    title: 'OAuth metadata stands between host and path of the issuer',
    source: 'RFC 8414, 3.1 and 3.3',
    where: 'The route /.well-known/oauth-authorization-server, and the proxy in front of it.',
    run: async (t) => {
      await compareMetadata(t, insertedUrl(t.target.issuer, 'oauth-authorization-server'))
    },
  },
  {
    id: 'rfc8414-appended-path',
    title: 'OAuth metadata stands also below the issuer, and is the same',
    source: 'RFC 8414, 5; clients that append the well-known path',
    where: 'The route <issuer>/.well-known/oauth-authorization-server.',
    only: 'chartside',
    run: async (t) => {
      await compareMetadata(t, `${t.target.issuer}/.well-known/oauth-authorization-server`)
      await compareMetadata(t, insertedUrl(t.target.issuer, 'openid-configuration'))
    },
  },
  {
    id: 'rfc9700-advertised-endpoints-answer',
    title: 'each advertised endpoint answers',
    source: 'RFC 9700, 2.6; RFC 8414, 2',
    where: WHERE,
    run: verifyEndpoints,
  },
  {
    id: 'discovery-caching',
    title: 'metadata and keys can be cached and read by pages',
    source: 'OpenID Connect Core, 10.1.1; SMART App Launch 2.2, CORS',
    where: 'The headers of the metadata and of the key set.',
    run: verifyCaching,
  },
]
