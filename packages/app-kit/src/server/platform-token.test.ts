// Option 3: the result of each answer of a management API. The API is a function; no socket is
// opened. Spec §5.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlatformTokenReader, PlatformTokenError } from './platform-token.ts'

const TOKEN = 'mgmt_secret'
const ours = { provider: 'oauth2', connection: 'chartside', user_id: '1', access_token: 'at_1' }
const theirs = { provider: 'google-oauth2', connection: 'google', access_token: 'ya29' }

function reader(answer: () => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit }[] = []
  const read = createPlatformTokenReader({
    managementUrl: 'https://tenant.example/',
    managementToken: async () => TOKEN,
    connection: 'chartside',
    fetch: async (url, init = {}) => {
      calls.push({ url: String(url), init })
      return answer()
    },
  }).read
  return { calls, read }
}

test('reads the access token of the connection with the management token', async () => {
  const { calls, read } = reader(() => Response.json({ identities: [theirs, ours] }))
  assert.deepEqual(await read('oauth2|chartside|usr_1'), { accessToken: 'at_1' })
  assert.equal(calls[0]?.url, 'https://tenant.example/api/v2/users/oauth2%7Cchartside%7Cusr_1')
  assert.equal(new Headers(calls[0]?.init.headers).get('authorization'), `Bearer ${TOKEN}`)
  assert.equal(calls[0]?.init.redirect, 'manual')
})

test('reads the token again for the next launch', async () => {
  let launch = 0
  const { read } = reader(() => {
    launch += 1
    return Response.json({ identities: [{ ...ours, access_token: `at_${launch}` }] })
  })
  assert.equal((await read('u')).accessToken, 'at_1')
  assert.equal((await read('u')).accessToken, 'at_2')
})

test('passes an ID token on when the provider keeps one', async () => {
  const { read } = reader(() => Response.json({ identities: [{ ...ours, id_token: 'jwt' }] }))
  assert.deepEqual(await read('u'), { accessToken: 'at_1', idToken: 'jwt' })
})

test('reads from the address form of another provider', async () => {
  const calls: string[] = []
  const { read } = createPlatformTokenReader({
    managementUrl: 'https://idp.example',
    userUrl: (id) => `https://idp.example/admin/people/${id}/full`,
    managementToken: TOKEN,
    connection: 'chartside',
    fetch: async (url) => {
      calls.push(String(url))
      return Response.json({ identities: [ours] })
    },
  })
  await read('7')
  assert.deepEqual(calls, ['https://idp.example/admin/people/7/full'])
})

for (const [what, answer, code] of [
  [
    'no identity of the connection',
    () => Response.json({ identities: [theirs] }),
    'identity_missing',
  ],
  ['no identities at all', () => Response.json({}), 'identity_missing'],
  ['identities that are no list', () => Response.json({ identities: 'x' }), 'identity_missing'],
  ['a list of null', () => Response.json({ identities: [null, 7] }), 'identity_missing'],
  ['two identities of it', () => Response.json({ identities: [ours, ours] }), 'identity_ambiguous'],
  [
    'an identity without its token',
    () => Response.json({ identities: [{ connection: 'chartside' }] }),
    'token_missing',
  ],
  ['401', () => Response.json({}, { status: 401 }), 'management_refused'],
  ['403', () => Response.json({}, { status: 403 }), 'management_refused'],
  ['404', () => Response.json({}, { status: 404 }), 'user_unknown'],
  ['429', () => Response.json({}, { status: 429 }), 'management_failed'],
  ['a redirect', () => new Response(null, { status: 302 }), 'management_failed'],
  ['nothing', () => Promise.reject(new TypeError('fetch failed')), 'management_unreachable'],
] as const) {
  test(`rejects with ${code}, without the token: ${what}`, async () => {
    await assert.rejects(reader(answer).read('u'), (error: unknown) => {
      assert.ok(error instanceof PlatformTokenError)
      assert.equal(error.code, code)
      assert.ok(error.fix.length > 10)
      assert.doesNotMatch(`${error.message} ${error.fix}`, /mgmt_secret|at_1|ya29/)
      return true
    })
  })
}

test('names the missing scope when the identity has no token', () => {
  const { fix } = new PlatformTokenError('token_missing', '')
  assert.match(fix, /read:user_idp_tokens/)
})

const complete = {
  managementUrl: 'https://tenant.example',
  managementToken: TOKEN,
  connection: 'chartside',
}

for (const [what, changes, message] of [
  ['no management address', { managementUrl: undefined }, /managementUrl is missing/],
  ['a management address that is none', { managementUrl: 'tenant' }, /managementUrl is not an abs/],
  [
    'a management address by http [H03]',
    { managementUrl: 'http://tenant.example' },
    /managementUrl must be https/,
  ],
  ['no management token', { managementToken: undefined }, /managementToken is missing/],
  ['an empty management token', { managementToken: '' }, /managementToken is missing/],
  ['no connection', { connection: undefined }, /connection is missing/],
  ['a time that never ends', { timeoutMs: Number.NaN }, /timeoutMs must be/],
] as const) {
  test(`refuses at creation ${what}`, () => {
    assert.throws(() => createPlatformTokenReader({ ...complete, ...changes }), {
      name: 'TypeError',
      message,
    })
  })
}

test('accepts http for loopback, and elsewhere only with dangerouslyAllowHttp', () => {
  createPlatformTokenReader({ ...complete, managementUrl: 'http://localhost:4800' })
  const inside = { ...complete, managementUrl: 'http://idp:4800', dangerouslyAllowHttp: true }
  createPlatformTokenReader(inside)
  const { dangerouslyAllowHttp: _, ...without } = inside
  assert.throws(() => createPlatformTokenReader(without), /https/)
})

test('sends no management token to an http address of userUrl [H03]', async () => {
  const { read } = createPlatformTokenReader({
    ...complete,
    userUrl: (id) => `http://tenant.example/users/${id}`,
    fetch: async () => assert.fail('a request was made'),
  })
  await assert.rejects(read('u'), /userUrl must be https/)
})

test('refuses a user id that leads to another address of the API', async () => {
  const { calls, read } = reader(() => Response.json({ identities: [ours] }))
  for (const userId of ['', '.', '..', undefined, null, 7]) {
    await assert.rejects(read(userId as string), { code: 'user_unknown' })
  }
  assert.equal(calls.length, 0)
  await read('../clients')
  assert.equal(calls[0]?.url, 'https://tenant.example/api/v2/users/..%2Fclients')
})

test('rejects without a request when it gets no management token', async () => {
  const store = new Error('the secret store is down')
  for (const managementToken of [
    () => Promise.reject(store),
    () => {
      throw store
    },
    async () => '',
    async () => undefined as unknown as string,
  ]) {
    const fetchFrom = async () => assert.fail('a request was made')
    const { read } = createPlatformTokenReader({ ...complete, managementToken, fetch: fetchFrom })
    await assert.rejects(read('u'), (error: unknown) => {
      assert.ok(error instanceof PlatformTokenError)
      assert.equal(error.code, 'management_token_unavailable')
      assert.ok(error.cause === store || error.cause === undefined)
      return true
    })
  }
})
