// Charts in the sandbox: a note typed beside one patient is at that chart again and at no other, in an EHR with a
// page for each chart, one with pushState and one with the fragment. Only a browser has their addresses.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { FrameLocator } from 'playwright-core'
import { type SandboxFixture, startFixture } from './sandbox-fixture.ts'

const APP = 'Visit Notes'

let fixture: SandboxFixture
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'] })
})
after(() => fixture?.stop())
beforeEach(() => fixture.begin())
afterEach(() => fixture.end())

/** A launch by itself, when the panel opens. */
async function openNotes(ehr: string): Promise<FrameLocator> {
  await fixture.signIn(`/${ehr}`)
  await fixture.waitUntilReady(APP)
  return fixture.frame(APP)
}

const openChart = (name: string) => fixture.ehr.getByRole('link', { name }).click()

/** Every text that the note had while it could be seen. */
async function recordTexts(notes: FrameLocator): Promise<() => Promise<string[]>> {
  const note = notes.locator('#note')
  await note.evaluate((field) => {
    const texts: string[] = []
    Object.assign(window, { texts })
    const record = () => {
      texts.push((field as HTMLTextAreaElement).value)
      requestAnimationFrame(record)
    }
    record()
  })
  return () =>
    note.evaluate(() => [...new Set((window as unknown as { texts: string[] }).texts.splice(0))])
}

for (const [ehr, first, second] of [
  ['meadow', 'Marigold Testerly', 'Basil Mockford'],
  ['summit', 'Granite Exampleson', 'Ridge Fakerton'],
  ['harbor', 'Finn Notreal', 'Pearl Sampleton'],
] as const) {
  test(`a note of one patient in ${ehr} is not at another, and is found again [V40]`, async () => {
    const notes = await openNotes(ehr)
    const note = notes.locator('#note')
    const readTexts = await recordTexts(notes)
    await note.fill('typed beside the first')
    await openChart(second)
    await fixture.page.locator('#frames iframe:visible').waitFor()
    await assertNote('')
    await readTexts()
    await note.fill('typed beside the second')
    assert.deepEqual(
      (await readTexts()).filter((text) => text.includes('first')),
      [],
    )
    // Another page of the same chart changes nothing.
    await fixture.ehr.getByRole('link', { name: 'Results' }).locator('visible=true').click()
    await fixture.page.waitForTimeout(400)
    assert.deepEqual(await readTexts(), ['typed beside the second'])
    await openChart(first)
    await assertNote('typed beside the first')
    await fixture.page.reload()
    await fixture.card(APP).filter({ hasText: 'Ready in' }).waitFor()
    await assertNote('typed beside the first')
  })
}

async function assertNote(text: string): Promise<void> {
  const note = fixture.frame(APP).locator('#note')
  for (let waited = 0; waited < 5000; waited += 50) {
    const isVisible = await note.isVisible().catch(() => false)
    if (isVisible && (await note.inputValue().catch(() => null)) === text) return
    await fixture.page.waitForTimeout(50)
  }
  assert.equal(await note.inputValue(), text)
}

test('keeps app and note while the chart changes and is back within 300 ms [V40]', async () => {
  const notes = await openNotes('meadow')
  await notes.locator('#note').fill('kept')
  const launches = await fixture.page.locator('.launch').count()
  await fixture.startFault('chart-flips')
  await fixture.card(APP).locator('.note').first().waitFor()
  await fixture.page.waitForTimeout(600)
  await assertNote('kept')
  assert.equal(await fixture.page.locator('.launch').count(), launches)
})
