// npm run pictures: plays every state of the console and of the pages around it on the real service, takes each in
// four views with every rule of axe-core, and writes the sheets and pages of .chartside/pictures.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { defineTool } from '../../../scripts/command-line.ts'
import type { BuildScenarios } from './scenarios.ts'
import { AREAS, type AreaName, type AreaStates, buildGallery } from './states.ts'

/** Each has a service of its own, and is loaded when it is its turn: --help needs none of them. */
const SETS: Readonly<
  Record<string, { readonly load: () => Promise<BuildScenarios>; readonly areas: AreaName[] }>
> = {
  office: {
    load: async () => (await import('./office-scenarios.ts')).buildOfficeScenarios,
    areas: ['frame', 'people', 'settings'],
  },
  launches: {
    load: async () => (await import('./launch-scenarios.ts')).buildLaunchesScenarios,
    areas: ['launches', 'audit'],
  },
  setup: {
    load: async () => (await import('./setup-scenarios.ts')).buildSetupScenarios,
    areas: ['apps', 'collections'],
  },
  'sign-in': {
    load: async () => (await import('./sign-in-scenarios.ts')).buildSignInScenarios,
    areas: ['signIn'],
  },
}

const { play: chosen } = defineTool(
  'pictures',
  'Takes a picture of every state of the console and of the sign-in pages, light, dark, in forced colors and at 420 px, with every rule of axe-core in each view. Writes .chartside/pictures; takes about six minutes.',
)
  .addOption(
    new Option('--play <name>', 'only the areas of one set of scenarios').choices(
      Object.keys(SETS),
    ),
  )
  .parse()
  .opts<{ play?: string }>()

const say = (text: string) => process.stdout.write(`${text}\n`)
const { launchChromium } = await import('../../../scripts/chromium.ts')
const { PICTURES, startCapturing } = await import('./captures.ts')
const browser = await launchChromium()
let failures = 0
const written = new Map<string, number>()
for (const [name, { load, areas }] of Object.entries(SETS)) {
  if (chosen !== undefined && chosen !== name) continue
  const build = await load()
  const set = build(startCapturing(browser, written))
  await set.start()
  for (const { title, run } of set.scenarios) {
    try {
      await run()
      await set.check()
      say(`✔ ${title}`)
    } catch (error) {
      failures += 1
      say(`✖ ${title}\n${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  await set.stop()
  for (const area of areas) {
    const { folder }: AreaStates = AREAS[area]
    writeFileSync(join(PICTURES, folder, 'README.md'), buildGallery(AREAS[area]))
  }
}
for (const [area, { states }] of chosen === undefined ? Object.entries<AreaStates>(AREAS) : []) {
  for (const state of Object.keys(states)) {
    if (written.has(`${area}/${state}`)) continue
    failures += 1
    say(`✖ ${area}/${state} was not taken`)
  }
}
await browser.close()
const bytes = [...written.values()].reduce((sum, size) => sum + size, 0)
say(
  `${(bytes / 1e6).toFixed(1)} MB of pictures in .chartside/pictures; test-results/pictures has them as JPEG`,
)
process.exitCode = failures > 0 ? 1 : 0
