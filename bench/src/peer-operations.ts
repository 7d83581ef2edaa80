// The operations of the load generator with another server: authorize by a person who is signed in there,
// and the exchange of the code, with PKCE and an ID token, as OpenID Connect has them.
import { type Connection, requestText } from './connection.ts'
import {
  CODE_PLACEHOLDER,
  expect,
  FORM_TYPE,
  type Operations,
  type ReadyCode,
  requestWith,
} from './operations.ts'
import { pkceOf } from './pkce.ts'
import type { PeerTarget } from './target.ts'

const CODE_IN_LOCATION = /\r\nlocation: [^\r]*[?&]code=([^&\s]+)/i

export function buildPeerOperations(target: PeerTarget): Operations {
  const { authorizePath, tokenPath, keysPath } = target
  const pairs = target.pairs.map(({ clientId, secret, redirectUri, cookie }, at) => {
    const { verifier, challenge } = pkceOf(at)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      scope: 'openid',
      redirect_uri: redirectUri,
      state: `state-${at}`,
      nonce: `nonce-${at}`,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: CODE_PLACEHOLDER,
      client_id: clientId,
      client_secret: secret,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    return {
      authorize: requestText('GET', `${authorizePath}?${query}`, { cookie }),
      token: requestWith(tokenPath, FORM_TYPE, form.toString()),
    }
  })
  const pairOf = (at: number) => {
    const found = pairs[at % pairs.length]
    if (!found) throw new Error('the peer has no clients')
    return found
  }
  return {
    async code(on: Connection, at: number): Promise<ReadyCode> {
      const { head } = expect(await on.ask(pairOf(at).authorize), 302, 303)
      const code = CODE_IN_LOCATION.exec(head)?.[1]
      if (!code) throw new Error(`no code in the redirect: ${head}`)
      return { code: decodeURIComponent(code), at }
    },
    async exchange(on, { code, at }) {
      return expect(await on.ask(pairOf(at).token(encodeURIComponent(code))), 200).body
    },
    async keys(on) {
      return expect(await on.ask(requestText('GET', keysPath)), 200).body
    },
  }
}
