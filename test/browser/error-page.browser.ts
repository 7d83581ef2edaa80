// The error page of authorize in Chromium, in development: what was sent beside what is registered, the
// trace id of the timeline, and hostile values as text. Contract §2, security A21.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Launch } from '@chartside/protocol/launch'
import type { Browser, Page } from 'playwright-core'
import { authorizeParameters, type Story, startStory } from '../../packages/server/test/story.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { assertNoViolations } from './accessibility.ts'

let story: Story
let browser: Browser
let origin: string
before(async () => {
  story = await startStory()
  origin = await story.service.server.listen({ host: '127.0.0.1', port: 0 })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await story?.close()
})

/** Opens the page of a refusal, and gives the failed step of its launch. */
async function refuse(page: Page, changes: Record<string, string | undefined>) {
  const { id, launchId } = await story.launch()
  const parameters = authorizeParameters(story.app, launchId, changes)
  const answer = await page.goto(`${origin}/app-auth/authorize?${parameters}`)
  assert.equal(answer?.status(), 400)
  const { steps }: Launch = (await story.api('GET', `/api/launches/${id}`)).json()
  return steps.find(({ outcome }) => outcome === 'failed')
}

test('shows sent and registered redirect URIs, and the trace id of the timeline', async () => {
  const page = await browser.newPage()
  const sent = 'https://notes.example/callbak'
  const step = await refuse(page, { redirect_uri: sent })
  const text = await page.locator('main').innerText()
  assert.match(text, /^sent: redirect_uri: https:\/\/notes\.example\/callbak$/m)
  assert.match(text, /^registered: redirect_uri: https:\/\/notes\.example\/callback$/m)
  assert.ok(step?.traceId && text.includes(step.traceId))
  assert.deepEqual(step.sent, [{ name: 'redirect_uri', value: sent }])
  await page.close()
})

test('axe finds nothing on the error page of authorize, in any view', async () => {
  const page = await browser.newPage()
  await refuse(page, { redirect_uri: 'https://notes.example/callbak' })
  await assertNoViolations(page, 'redirect URI')
  await refuse(page, { client_id: undefined })
  await assertNoViolations(page, 'missing parameter')
  await page.close()
})

test('runs nothing of a hostile value, and fits a narrow panel', async () => {
  const page = await browser.newPage({ viewport: { width: 384, height: 700 } })
  const asked: string[] = []
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => asked.push(dialog.message())))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/app-auth/authorize`)) asked.push(request.url())
  })
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const hostile = `https://x.example/${attack}\u202e\u0007${'a'.repeat(1900)}`
  const step = await refuse(page, { redirect_uri: hostile, client_id: undefined })
  assert.equal(step?.reason, 'parameters_missing')
  await refuse(page, { redirect_uri: hostile })
  assert.ok((await page.locator('main').innerText()).includes(attack))
  assert.equal(await page.locator('script, img').count(), 0)
  assert.deepEqual(
    asked.filter((url) => !url.endsWith('/favicon.ico')),
    [],
  )
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.ok(overflow <= 0, `${overflow} px wider than the panel`)
  const size = await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    return getComputedStyle(document.body).fontSize
  })
  assert.equal(size, '32px', 'text follows the size that the reader has set')
  await page.close()
})
