// The peer oidc-provider, in memory or, as `oidc-provider.ts sqlite FILE`, with an adapter on
// node:sqlite that syncs every write. Each person signs in and consents once, over HTTP; the load
// generator goes on with the cookies.
import Provider from 'oidc-provider'
import { announce, clients, KEY_ID, listen, listPairs, makeKey, REDIRECT_URI } from './announce.ts'
import { memoryAdapter } from './memory-adapter.ts'
import { sqliteAdapter } from './sqlite-adapter.ts'

const [storage, file = ''] = process.argv.slice(2)
const { server, port } = await listen()
const issuer = `http://localhost:${port}`
const { privateKey } = makeKey()
const provider = new Provider(issuer, {
  adapter: storage === 'sqlite' ? sqliteAdapter(file) : memoryAdapter(),
  clients: clients.map(({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'client_secret_post',
  })),
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }],
  },
  claims: { openid: ['sub'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  cookies: { keys: ['a key of the benchmark'] },
  interactions: { url: () => '/interaction' },
  ttl: {
    Session: 86_400,
    Grant: 86_400,
    AccessToken: 900,
    IdToken: 900,
    Interaction: 600,
    AuthorizationCode: 60,
  },
  findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
})

let arriving = ''
const callback = provider.callback()
server.on('request', async (request, response) => {
  if (request.url !== '/interaction') return callback(request, response)
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const login = { login: { accountId: arriving } }
    return provider.interactionFinished(request, response, login)
  }
  const grant = new provider.Grant({ accountId: arriving, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const consent = { consent: { grantId: await grant.save() } }
  return provider.interactionFinished(request, response, consent)
})

/** Signs the person in and consents, as a browser would; gives the cookies of the session. */
async function signIn(person: string, clientId: string): Promise<string> {
  arriving = person
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: 'openid',
    redirect_uri: REDIRECT_URI,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const cookies = new Map<string, string>()
  let next = `${issuer}/auth?${query}`
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${next}: ${answer.status} ${await answer.text()}`)
    next = new URL(location, next).href
    if (next.startsWith(REDIRECT_URI)) {
      const kept = [...cookies].filter(([name]) => name.startsWith('_session'))
      return kept.map(([name, value]) => `${name}=${value}`).join('; ')
    }
  }
  throw new Error(`no code within ten redirects, last: ${next}`)
}

const pairs = []
for (const { person, client } of listPairs()) {
  const cookie = await signIn(person, client.id)
  pairs.push({ clientId: client.id, secret: client.secret, redirectUri: REDIRECT_URI, cookie })
}
announce({
  kind: 'peer',
  port,
  authorizePath: '/auth',
  tokenPath: '/token',
  keysPath: '/jwks',
  pairs,
})
