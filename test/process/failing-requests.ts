// Requests that fail while they carry secrets in a wrong place: malformed bodies, URLs, headers, the
// wrong field, the wrong type. A developer by mistake, a misconfigured client or an attacker sends
// such requests. Returns every secret that was presented; checks no answer. Security C15, T01, T14.
// Security C12.
import { createHash } from 'node:crypto'
import {
  api,
  authorize,
  authorizePath,
  bearer,
  exchange,
  launch,
  type Practice,
  send,
  sendJson,
  tokenRequest,
} from './story-verbs.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

export async function sendFailingRequests(
  practice: Practice,
  admin: { readonly email: string; readonly password: string },
): Promise<Map<string, string>> {
  const { baseUrl, app, sessionToken } = practice
  const { launchId, id } = await launch(practice)
  const { code = '' } = await authorize(practice, launchId)
  const live = await launch(practice)
  const liveCode = (await authorize(practice, live.launchId)).code ?? ''
  const token = String((await exchange(practice, liveCode)).body.access_token)
  const wrongSecret = `cs_${'0'.repeat(22)}${digest('wrong secret')}`
  const wrongPassword = `wrong-password-${digest('wrong password')}`
  const verifier = `verifier-${digest('verifier')}-of-a-failing-request`
  const presented = new Map([
    ['launch_id of failing requests', launchId],
    ['code of failing requests', code],
    ['launch_id of the live token', live.launchId],
    ['code of the live token', liveCode],
    ['live access token', token],
    ['wrong client secret', wrongSecret],
    ['wrong password', wrongPassword],
    ['code_verifier of failing requests', verifier],
  ])
  const everything = { code, token, secret: app.secret, verifier, password: admin.password }
  const text = JSON.stringify({ ...everything, session: sessionToken, launch: launchId })

  // Bodies that cannot be read, on every surface that reads one.
  for (const path of ['/app-auth/token', '/app-auth/introspect', '/app-auth/revoke']) {
    await post(path, text.slice(0, -1), JSON_TYPE)
    await post(path, `[${text}]`, JSON_TYPE)
    await post(path, text, { 'content-type': 'text/plain' })
    await post(path, text.repeat(40), JSON_TYPE)
    await post(path, text.replaceAll('"', '\u0000'), JSON_TYPE)
  }
  for (const path of [
    '/auth/sign-in',
    '/api/apps',
    `/api/sessions/${practice.sessionId}/launches`,
  ]) {
    await post(path, text.slice(0, -1), { ...JSON_TYPE, ...bearer(sessionToken) })
    await post(path, text, { 'content-type': 'text/plain', ...bearer(sessionToken) })
    await post(path, text, { ...JSON_TYPE, ...bearer(sessionToken) })
    await post(path, `{"__proto__":${text}}`, { ...JSON_TYPE, ...bearer(sessionToken) })
  }

  // The right values in the wrong place: URL, path, header, another field.
  const query = new URLSearchParams({
    ...tokenRequest(practice, code),
    access_token: token,
    code_verifier: verifier,
    password: admin.password,
    session: sessionToken,
    launch_id: launchId,
  })
  for (const path of ['/app-auth/token', '/app-auth/userinfo', '/auth/sign-in', '/nowhere']) {
    await post(`${path}?${query}`, '', {})
    await send(baseUrl, `${path}?${query}`)
  }
  for (const value of [token, app.secret, sessionToken, code, launchId]) {
    await send(baseUrl, `/${value}`)
    await send(baseUrl, `/${value}%`)
    await send(baseUrl, `/api/launches/${value}`, { headers: bearer(sessionToken) })
    await send(baseUrl, `/api/apps/${value}`, { method: 'PATCH', headers: bearer(sessionToken) })
    await send(baseUrl, '/api/users/me', { headers: bearer(value) })
    await send(baseUrl, '/app-auth/userinfo', { headers: { authorization: `Basic ${value}` } })
    await send(baseUrl, '/app-auth/userinfo', { headers: { authorization: value } })
  }
  await sendJson(baseUrl, '/auth/sign-in', { ...admin, password: wrongPassword })
  await sendJson(baseUrl, '/auth/sign-in', { email: admin.password, password: wrongPassword })

  // Secrets where a name belongs, at authorize and at token.
  await send(baseUrl, `${authorizePath(practice, launchId, { client_id: app.secret })}`)
  await send(baseUrl, `${authorizePath(practice, launchId, { redirect_uri: `https://x/${code}` })}`)
  await send(baseUrl, `${authorizePath(practice, launchId, { scope: token })}`)
  await send(baseUrl, `${authorizePath(practice, launchId, { response_type: app.secret })}`)
  await send(baseUrl, `${authorizePath(practice, token)}`)
  const basic = Buffer.from(`${app.secret}:${wrongSecret}`).toString('base64')
  await post('/app-auth/token', new URLSearchParams(tokenRequest(practice, code)), {
    authorization: `Basic ${basic}`,
  })
  await exchange(practice, code, { grant_type: app.secret })
  await exchange(practice, code, { client_id: app.secret, client_secret: wrongSecret })
  await exchange(practice, token, { code_verifier: verifier })
  await exchange(practice, code, { redirect_uri: `https://notes.example/${app.secret}` })
  const third = (await authorize(practice, (await launch(practice)).launchId)).code ?? ''
  presented.set('code with an unexpected verifier', third)
  await exchange(practice, third, { code_verifier: verifier })
  const fourth = (await authorize(practice, (await launch(practice)).launchId)).code ?? ''
  presented.set('code with a wrong secret', fourth)
  await exchange(practice, fourth, { client_secret: wrongSecret })
  await exchange(practice, liveCode)

  // A host that puts what it should not into its report of a failed step.
  await api(practice, 'POST', `/api/launches/${id}/steps`, {
    step: 'handshake',
    outcome: 'failed',
    code: 'TOKEN_REJECTED',
    detail: `the app sent ${token} for ${launchId}`,
  })
  return presented

  function post(path: string, body: string | URLSearchParams, headers: Record<string, string>) {
    return send(baseUrl, path, { method: 'POST', headers, body })
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
