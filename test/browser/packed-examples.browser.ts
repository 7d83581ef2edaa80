// The sample apps on the packed packages: copied out of the workspace, run on what npm installed
// from the archives, and launched in a real browser. Spec §5.1-§5.3.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makePackedProject } from '../packed/packed-project.ts'
import { type SandboxFixture, startFixture } from './sandbox-fixture.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the project, so that React and others resolve; our packages resolve here first. */
const packed = join(root, '.chartside/packed')
const EXAMPLES = ['visit-notes', 'care-gaps', 'referral-desk', 'growth-chart', 'coding-watch']

let fixture: SandboxFixture
before(async () => {
  await makePackedProject(packed)
  const apps = await Promise.all(EXAMPLES.map(copyExample))
  fixture = await startFixture({ only: ['none'], apps })
  await fixture.begin()
  await fixture.signIn('/meadow?practice=Northgate+Cardiology')
})
after(async () => {
  await fixture?.stop()
  rmSync(packed, { recursive: true, force: true })
})

/** The example under another name, because the sandbox has the samples' names already. */
async function copyExample(name: string): Promise<string> {
  const from = join(root, 'examples', name)
  const to = join(packed, name)
  await cp(from, to, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const own = join(from, 'node_modules')
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(to, 'chartside.app.json'), 'utf8'))
  manifest.name = `Packed ${manifest.name}`
  writeFileSync(join(to, 'chartside.app.json'), JSON.stringify(manifest))
  return to
}

test('resolves the packed packages, not the workspace', () => {
  for (const name of EXAMPLES) {
    const require = createRequire(join(packed, name, 'src/main.mjs'))
    const found = require.resolve('@chartside/app-kit/server')
    assert.ok(found.startsWith(realpathSync(join(packed, 'node_modules'))), found)
    assert.ok(!found.startsWith(join(root, 'packages')), found)
  }
})

for (const app of ['Visit Notes', 'Care Gaps', 'Referral Desk', 'Growth Chart']) {
  test(`${app} launches and shows its user`, async () => {
    const frame = await fixture.open(`Packed ${app}`)
    assert.equal(await frame.locator('#practice').textContent(), 'Northgate Cardiology')
    await fixture.step(`Packed ${app}`, 'context', 'ok').waitFor()
  })
}

test('Coding Watch, without a visible page, gets its session context', async () => {
  await fixture.step('Packed Coding Watch', 'context', 'ok').waitFor()
})

test('no page violates its own policy', () => fixture.end())
