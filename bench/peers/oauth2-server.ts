// The peer @node-oauth/oauth2-server with Express, as its documents put them together, and jose for the ID
// token, which the library does not have. Everything is in memory and nothing is durable.
import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'
import { exportJWK, SignJWT } from 'jose'
import { announce, clients, KEY_ID, listen, listPairs, makeKey, REDIRECT_URI } from './announce.ts'

const { Request, Response } = OAuth2Server
const { publicKey, privateKey } = makeKey()
const known = new Map(
  clients.map(({ id, secret }) => [
    id,
    {
      client: { id, grants: ['authorization_code'], redirectUris: [REDIRECT_URI] },
      secret,
    },
  ]),
)
const codes = new Map<string, OAuth2Server.AuthorizationCode>()
const tokens = new Map<string, OAuth2Server.Token>()
/** The signed-in people by the value of the session cookie. */
const people = new Map<string, { readonly id: string }>()

const model: OAuth2Server.AuthorizationCodeModel = {
  async getClient(clientId, clientSecret) {
    const found = known.get(clientId)
    return found && (clientSecret === null || clientSecret === found.secret) && found.client
  },
  async saveAuthorizationCode(code, client, user) {
    const stored = { ...code, client, user }
    codes.set(code.authorizationCode, stored)
    return stored
  },
  getAuthorizationCode: async (code) => codes.get(code),
  revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
  async saveToken(token, client, user) {
    const stored = { ...token, client, user }
    tokens.set(token.accessToken, stored)
    return stored
  },
  getAccessToken: async (accessToken) => tokens.get(accessToken),
  validateScope: async (_user, _client, scope) => scope,
}
const oauth = new OAuth2Server({ model, requireClientAuthentication: {} })

const app = express()
app.use(express.urlencoded({ extended: false }))
app.get('/authorize', async (request, response) => {
  const answer = new Response(response)
  const authenticateHandler = {
    handle: ({ headers }: OAuth2Server.Request) =>
      people.get(/(?:^|; )session=([^;]*)/.exec(headers?.cookie ?? '')?.[1] ?? ''),
  }
  await oauth.authorize(new Request(request), answer, { authenticateHandler })
  response
    .status(answer.status ?? 500)
    .set(answer.headers)
    .end()
})
app.post('/token', async (request, response) => {
  const answer = new Response(response)
  const token = await oauth.token(new Request(request), answer)
  const idToken = await new SignJWT({ scope: 'openid' })
    .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
    .setIssuer(`http://${request.headers.host}`)
    .setSubject(token.user.id)
    .setAudience(token.client.id)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  response.set('cache-control', 'no-store').json({ ...answer.body, id_token: idToken })
})
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }
app.get('/keys', (_request, response) => void response.json(keys))

const { port } = await listen(app)
announce({
  kind: 'peer',
  port,
  authorizePath: '/authorize',
  tokenPath: '/token',
  keysPath: '/keys',
  pairs: listPairs().map(({ person, client }) => {
    const session = `session-of-${person}`
    people.set(session, { id: person })
    const { id: clientId, secret } = client
    return { clientId, secret, redirectUri: REDIRECT_URI, cookie: `session=${session}` }
  }),
})
