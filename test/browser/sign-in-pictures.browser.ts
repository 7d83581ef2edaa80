// The pages of sign-in and of errors, each photographed in light, dark and forced colours, at 420 px and wide;
// nothing is wider than its window. CHARTSIDE_PICTURES=write writes the pictures of the
// documentation; test-results/pages has all of them.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { APPEARANCES, listViolations } from './accessibility.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

const MAX_PICTURE_BYTES = 60 * 1024
const documented = fileURLToPath(new URL('../../docs/pictures/sign-in', import.meta.url))
const pictures = fileURLToPath(new URL('../../test-results/pages', import.meta.url))
let fixture: SignInFixture

before(async () => {
  mkdirSync(pictures, { recursive: true })
  mkdirSync(documented, { recursive: true })
  fixture = await startFixture()
})
after(() => fixture?.stop())

async function typeWrong() {
  await fixture.page.getByLabel('E-mail address').fill('amara.okafor@lakeside.example')
  await fixture.page.getByLabel('Password').fill('wrong')
  await fixture.page.keyboard.press('Enter')
  await fixture.page.locator('#password-problem').waitFor()
}

const open = (url = fixture.newClient().url) => fixture.page.goto(url)

async function openInvitation() {
  const token = await fixture.adminToken()
  const { id } = await fixture.api(token, 'POST', '/api/accounts', { name: 'Lakeside Clinic' })
  const body = { email: 'mei@lakeside.example', name: 'Dr. Mei Tanaka', role: 'provider' }
  const member = await fixture.api(token, 'POST', `/api/accounts/${id}/members`, body)
  await open(member.invitationUrl)
}

const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'sign-in': () => open(),
  'wrong-password': async () => {
    await open()
    await typeWrong()
  },
  'too-many': async () => {
    const wait = fixture.service.clock() + 9 * 60_000
    await open(`${fixture.newClient().url}&wait_until=${wait}`)
  },
  codes: async () => {
    await open()
    await fixture.typePassword()
    await fixture.heading('Do the codes match?')
  },
  'new-method': openInvitation,
  'authorize-error': () => open(`${fixture.base}/app-auth/authorize?client_id=x`),
  'dead-link': () => open(`${fixture.base}/auth/invitation?token=x`),
  'not-found': () => open(`${fixture.base}/nope`),
  'step-over': () => open(`${fixture.base}/auth/sign-in/approve?step=x`),
  'not-complete': () => open(`${fixture.base}/auth/sign-in?session_id=x`),
}
const PICTURED = 6

for (const [index, [name, reach]] of Object.entries(PAGES).entries()) {
  test(`shows ${name} without a violation, in every appearance and at 420 px`, async () => {
    await fixture.begin()
    const { page } = fixture
    await reach()
    for (const { name: appearance, media } of APPEARANCES) {
      await page.emulateMedia(media)
      for (const width of [420, 1024]) {
        await page.setViewportSize({ width, height: 760 })
        const where = `${name}, ${appearance}, ${width} px`
        assert.deepEqual(await listViolations(page), [], where)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        assert.equal(overflow, 0, where)
        await page.screenshot({ path: join(pictures, `${name}-${appearance}-${width}.png`) })
      }
    }
    if (index >= PICTURED) return
    const path = join(documented, `${name}.png`)
    if (process.env.CHARTSIDE_PICTURES === 'write') {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
      await page.setViewportSize({ width: 420, height: 760 })
      await page.screenshot({ path })
    }
    assert.ok(statSync(path).size <= MAX_PICTURE_BYTES, path)
  })
}
