// The peer better-auth with its OAuth provider, on node:sqlite as its documents show it, in the file of the first
// argument, with every write synced. It has no storage in memory for many rows: its memory adapter walks through
// lists. People sign up over its interface; the clients belong to the first of them.
import { DatabaseSync } from 'node:sqlite'
import { oauthProvider } from '@better-auth/oauth-provider'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import { announce, clients, listen, listPairs, PERSON_COUNT, REDIRECT_URI } from './announce.ts'

const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const { server, port } = await listen()
// The types of this package do not fit a strict project (`exactOptionalPropertyTypes`).
const provider: object = oauthProvider({
  loginPage: '/login',
  consentPage: '/consent',
  scopes: ['openid'],
})
const auth = betterAuth({
  baseURL: `http://localhost:${port}`,
  secret: 'a secret of the benchmark, of no use elsewhere',
  database,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // As the documents of the OAuth provider want it: its own token endpoint takes the place of this one.
  disabledPaths: ['/token'],
  plugins: [
    jwt({
      disableSettingJwtHeader: true,
      jwks: { keyPairConfig: { alg: 'RS256', modulusLength: 2048 } },
    }),
    provider as BetterAuthPlugin,
  ],
})
await (await getMigrations(auth.options)).runMigrations()
server.on('request', toNodeHandler(auth))

async function signUp(person: string): Promise<string> {
  const body = { email: `${person}@example.com`, password: `password of ${person}`, name: person }
  const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true })
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const cookies = new Map<string, string>()
for (let person = 0; person < PERSON_COUNT; person++) {
  cookies.set(`person-${person}`, await signUp(`person-${person}`))
}
interface NewClient {
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}
const createClient = Reflect.get(auth.api, 'adminCreateOAuthClient') as (
  client: NewClient,
) => Promise<{ readonly client_id: string; readonly client_secret: string }>

const registered = new Map<string, { readonly clientId: string; readonly secret: string }>()
const headers = new Headers({ cookie: cookies.get('person-0') ?? '' })
const body = {
  redirect_uris: [REDIRECT_URI],
  skip_consent: true,
  token_endpoint_auth_method: 'client_secret_post',
}
for (const { id } of clients) {
  const created = await createClient({ headers, body })
  registered.set(id, { clientId: created.client_id, secret: created.client_secret })
}
announce({
  kind: 'peer',
  port,
  authorizePath: '/api/auth/oauth2/authorize',
  tokenPath: '/api/auth/oauth2/token',
  keysPath: '/api/auth/jwks',
  pairs: listPairs().flatMap(({ person, client }) => {
    const found = registered.get(client.id)
    const cookie = cookies.get(person) ?? ''
    return found ? [{ ...found, redirectUri: REDIRECT_URI, cookie }] : []
  }),
})
