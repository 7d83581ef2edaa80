// A deliberately poor app: it opens on a good day, and makes the mistake that each fault looks for. It
// compares no state, verifies no ID token, exchanges again and again, shows developer words, and keeps nothing.
import { createServer } from 'node:http'

const { CLIENT_ID, CLIENT_SECRET, PORT, PUBLIC_URL } = process.env
const { CHARTSIDE_BASE_URL, CHARTSIDE_TOKEN_URL } = process.env
const redirectUri = `${PUBLIC_URL}/callback`

/** The last launch of all, of any user. */
let last = {}
/** Of the process: the keys are never looked at again. */
let firstKid

const page = (script) => `<!doctype html><title>Poor App</title><body><p id="text"></p>
<script src="${CHARTSIDE_BASE_URL}/sdk/v1/sdk.js"></script><script>${script}</script>`

const LAUNCH = `
const launch = new URLSearchParams(location.search).get('launch_id')
const query = new URLSearchParams({
  response_type: 'code', client_id: ${JSON.stringify(CLIENT_ID)}, scope: 'launch openid profile',
  redirect_uri: ${JSON.stringify(redirectUri)}, state: launch + ':always', launch,
})
localStorage.setItem('launch', launch)
location.replace(${JSON.stringify(`${CHARTSIDE_BASE_URL}/app-auth/authorize?`)} + query)`

/** Goes back to the launch when it failed, as often as it takes. */
const CALLBACK = `
const query = new URLSearchParams(location.search)
const text = document.querySelector('#text')
async function open() {
  const answer = await fetch('/exchange?' + query)
  const result = await answer.json()
  if (!answer.ok) throw new Error('HTTP ' + answer.status + ' ' + JSON.stringify(result))
  text.textContent = 'User: ' + result.name
  const field = document.createElement('textarea')
  document.body.append(field)
  setInterval(() => fetch('/ping').catch(() => location.reload()), 500)
  await Chartside.initServiceSDK({ baseUrl: ${JSON.stringify(CHARTSIDE_BASE_URL)}, accessToken: result.access_token })
    .then((sdk) => sdk.on('chart', () => {}))
}
open().catch((error) => {
  text.textContent = query.get('error') === null ? '' : query.get('error')
  text.textContent += ' ' + error
  const tries = Number(localStorage.getItem('tries') ?? 0) + 1
  localStorage.setItem('tries', tries)
  if (tries % 6 !== 0) setTimeout(() => location.replace('/launch?launch_id=' + localStorage.getItem('launch')), 150)
})`

async function exchange(code) {
  const body = JSON.stringify({
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const once = () => fetch(CHARTSIDE_TOKEN_URL, init).then((answer) => answer.text())
  const read = (text) => {
    const tokens = JSON.parse(text)
    if (!tokens.access_token) throw new Error(`invalid_grant ${text}`)
    return tokens
  }
  try {
    return read(await once())
  } catch {
    return read(await once())
  }
}

async function answerExchange(query) {
  const tokens = await exchange(query.get('code') ?? 'undefined')
  const [head, payload] = tokens.id_token.split('.').map((part) => Buffer.from(part, 'base64url'))
  const { kid } = JSON.parse(head)
  firstKid ??= kid
  const { name } = JSON.parse(payload)
  // A key that it has never seen is an outage; one that it should refuse is not.
  if (kid !== firstKid && /^key-\d+$/.test(kid)) throw new Error('JWT kid undefined')
  last = { name, access_token: tokens.access_token }
  await new Promise((resolve) => setTimeout(resolve, 200))
  return last
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, PUBLIC_URL)
  const send = (status, type, body) =>
    response.writeHead(status, { 'content-type': type }).end(body)
  try {
    if (pathname === '/launch') return send(200, 'text/html', page(LAUNCH))
    if (pathname === '/callback') return send(200, 'text/html', page(CALLBACK))
    if (pathname !== '/exchange') return send(200, 'text/plain', 'pong')
    send(200, 'application/json', JSON.stringify(await answerExchange(searchParams)))
  } catch (error) {
    send(500, 'application/json', JSON.stringify({ error: String(error) }))
  }
}).listen(Number(PORT), '127.0.0.1')
