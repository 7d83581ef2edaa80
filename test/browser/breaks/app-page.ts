// The page of the app that breaks: a launch as the guides write it, and the mistakes of its modes. It
// shows a failure as the apps of create-chartside-app do: a sentence for the provider, and code,
// cause, fix and trace id in a fold. Runs in the browser.
import { beginLaunch, createSession, postOnce, readCallback } from '@chartside/app-kit/browser'
import { describeProblem } from '@chartside/app-kit/page'
import { initServiceSDK, reportLaunchFailure, type ServiceSDK } from '@chartside/sdk'
import type { Mode } from './break.ts'

interface PageSettings {
  readonly name: string
  readonly mode: Mode
  readonly option: string
  readonly clientId: string
  readonly service: string
  /** The service, or the app itself where it changes the authorize request. */
  readonly baseUrl: string
  readonly redirectUri: string
  readonly foreignToken: string
}

interface Reply {
  readonly access_token: string
  readonly id_token: string
}

const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings
const { mode, option, service } = settings
const isByHand = mode.startsWith('by-hand')
const show = (...elements: HTMLElement[]) =>
  document.querySelector('main')?.replaceChildren(...elements)

const page = location.pathname === '/launch' ? begin() : openApp()
page.catch((error: unknown) => {
  const { advice, error: code, cause, fix, trace_id: traceId } = describeProblem(error)
  const alert = element('section', '', element('h1', `${settings.name} could not open`))
  alert.setAttribute('role', 'alert')
  alert.append(element('p', `The chart is not affected. ${advice}`))
  const rows = Object.entries({ Code: code, Cause: cause, Fix: fix, Trace: traceId ?? '' })
  const support = element('details', '', element('summary', 'For support'))
  support.className = 'support'
  for (const [term, text] of rows) if (text) support.append(element('p', `${term}: ${text}`))
  show(alert, support)
  reportLaunchFailure({ code, message: cause, fix, traceId })
})

async function begin(): Promise<void> {
  if (!isByHand) {
    const issuer = `${service}/app-auth`
    return beginLaunch({ ...settings, issuer, scope: 'launch openid profile' })
  }
  const launch = new URLSearchParams(location.search).get('launch_id') ?? ''
  location.replace(
    `${settings.baseUrl}/app-auth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: settings.clientId,
      launch,
      scope: 'launch openid',
      redirect_uri: settings.redirectUri,
      state: `${launch}:by-hand`,
    })}`,
  )
}

async function openApp(): Promise<void> {
  const sdk = option === 'app' ? await openWithExchange() : await openByOption()
  if (!sdk) return
  sdk.on('ended', ({ reason }) => {
    const closed = element('p', `${settings.name} is closed: ${reason}`)
    closed.setAttribute('role', 'status')
    show(closed)
  })
  show(element('p', sdk.sessionContext?.account.name ?? 'no session'))
  document.querySelector('main p')?.setAttribute('id', 'provider')
}

/** Options 2 and 3 without an exchange in the page. */
async function openByOption(): Promise<ServiceSDK> {
  const { code } = readCallback()
  if (option === 'token_endpoint') return initServiceSDK({ baseUrl: service, code })
  const { access_token } = await postOnce<Reply>('/api/exchange', { code })
  return startSdk({ access_token, id_token: '' })
}

async function openWithExchange(): Promise<ServiceSDK | null> {
  const code = isByHand
    ? (new URLSearchParams(location.search).get('code') ?? '')
    : readCallback().code
  if (mode === 'script-error')
    throw new TypeError("Cannot read properties of undefined (reading 'map')")
  if (mode === 'uncaught-error') {
    setTimeout(() => {
      throw new TypeError('chart is not a function')
    })
    return null
  }
  if (mode === 'without-token') return initServiceSDK({ baseUrl: service })
  if (isByHand) return openByHand(code)
  const exchange = () => postOnce<Reply>('/api/exchange', { code })
  const [reply] = await Promise.all(mode === 'twice' ? [exchange(), exchange()] : [exchange()])
  if (mode === 'no-init') return null
  const sdk = await startSdk(reply)
  const starts = mode === 'session-twice' ? [createSession(), createSession()] : [createSession()]
  for (const [index, session] of starts.entries()) {
    await session.start({ id_token: reply.id_token, attempt: index })
  }
  if (mode === 'needs-cookie') await postOnce('/api/cookie', {})
  return sdk
}

async function startSdk({ access_token, id_token }: Reply): Promise<ServiceSDK> {
  const accessToken =
    mode === 'id-token-as-access-token'
      ? id_token
      : mode === 'foreign-token'
        ? settings.foreignToken
        : access_token
  if (mode !== 'get-id-token') {
    const idToken = mode === 'standard' && id_token ? { idToken: id_token } : {}
    return initServiceSDK({ baseUrl: service, accessToken, ...idToken })
  }
  const sdk = await initServiceSDK({ baseUrl: service, accessToken })
  await sdk.sessionContext?.getIdToken()
  return sdk
}

/** A doubled effect without the kit sends the code twice. */
async function openByHand(code: string): Promise<ServiceSDK | null> {
  const exchange = async () => {
    const response = await fetch('/api/exchange', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    const body = (await response.json()) as Reply
    if (!response.ok) throw Object.assign(new Error('The exchange failed.'), { body })
    return body
  }
  const reply = await exchange()
  if (mode === 'by-hand-twice') await exchange()
  return mode === 'by-hand-no-init' ? null : startSdk(reply)
}

function element(name: string, text: string, ...children: HTMLElement[]): HTMLElement {
  const made = document.createElement(name)
  made.append(text, ...children)
  return made
}
