// Login CSRF with a launch: an attacker opens an EHR session of their own, takes the Launch URL of an
// app, and brings a victim's browser there. The launch is genuine; only its panel is missing.
import type { Sandbox } from '@chartside/example-sandbox'
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import type { Browser } from 'playwright-core'

/** The Launch URL of a fresh launch of each app, by its name, in a session of the attacker. */
export async function launchAsAttacker(sandbox: Sandbox): Promise<ReadonlyMap<string, string>> {
  const service = sandbox.places.service.url
  const [{ name, providers }] = SAMPLE_PRACTICES
  const signIn = { email: providers[0].email, password: SAMPLE_PASSWORD }
  const { token } = await send<{ token: string }>(`${service}/auth/sign-in`, '', signIn)
  const me = await send<Me>(`${service}/api/users/me`, token)
  const account = me.memberships.map((membership) => membership.account)
  const accountId = account.find((one) => one.name === name)?.id
  const device = { accountId, ehrType: 'meadow', deviceId: 'device-of-an-attacker' }
  const session = await send<EhrSession>(`${service}/api/sessions`, token, device)
  const launches = session.apps.map(async ({ id: appId, name, kinds: [kind] }) => {
    const path = `${service}/api/sessions/${session.id}/launches`
    const { launchUrl } = await send<OpenedLaunch>(path, token, { appId, kind })
    return [name, launchUrl] as const
  })
  return new Map(await Promise.all(launches))
}

/** What a clean browser has after it was brought to a Launch URL, and what the app's page says. */
export async function openAsVictim(browser: Browser, launchUrl: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const sessions: number[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isStart = response.request().method() === 'POST' && pathname.endsWith('/session')
    if (isStart) sessions.push(response.status())
  })
  const messages: string[] = []
  // A worker has no screen: its failure is in the console.
  const logged = new Promise<void>((resolve) => {
    page.on('console', (message) => {
      messages.push(message.text())
      if (/could not start/.test(message.text())) resolve()
    })
  })
  await page.goto(launchUrl)
  // In the app: Next.js has an empty alert of its own, with which it announces pages.
  await Promise.race([page.locator('main').getByRole('alert').waitFor(), logged])
  const text = `${await page.textContent('main')} ${messages.join(' ')}`
  const cookies = await context.cookies()
  const stored = await page.evaluate(() => JSON.stringify([localStorage, history.state]))
  await context.close()
  return { text, cookies, stored, sessions }
}

interface Me {
  readonly memberships: readonly {
    readonly account: { readonly id: string; readonly name: string }
  }[]
}

async function send<Reply>(url: string, token: string, body?: object): Promise<Reply> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: token && `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as Reply
}
