// The sample apps that create-chartside-app writes: which choices each was made with, and which
// files are by hand. `npm run samples` writes all other files again; test/samples.test.ts compares
// them. Never touches a file by hand. docs/inside/decisions/0023-examples.md.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAppFiles } from '../packages/create-chartside-app/src/app-files.ts'
import { buildSlug, type Choices } from '../packages/create-chartside-app/src/choices.ts'
import { fromRegistry } from '../packages/create-chartside-app/src/packages.ts'
import { version } from '../packages/create-chartside-app/src/templates.ts'
import { defineTool } from './command-line.ts'

export interface Sample extends Choices {
  /** Files of the sample's own; some take the place of a template's file. */
  readonly byHand: readonly string[]
  /** Template files, and folders with a slash at the end, that this sample does not use. */
  readonly without?: readonly string[]
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'Visit Notes',
    option: '1',
    framework: 'express',
    kind: 'ui',
    byHand: [
      'README.md',
      'package.json',
      'tsconfig.json',
      'public/app.css',
      'src/api.ts',
      'src/notes.ts',
      'src/browser/app.tsx',
      'src/browser/identity-table.tsx',
      'src/browser/main.ts',
      'src/browser/notes.tsx',
      'src/browser/problem-box.tsx',
      'src/browser/visit.ts',
      'test/api.test.ts',
    ],
    without: ['src/browser/app-view.ts', 'src/browser/draft-field.ts', 'src/browser/views.ts'],
  },
  {
    name: 'Care Gaps',
    option: '2',
    framework: 'fastify',
    kind: 'ui',
    byHand: [
      'README.md',
      'public/app.css',
      'src/api.ts',
      'src/gaps.ts',
      'src/browser/app-view.ts',
      'test/api.test.ts',
    ],
  },
  {
    name: 'Referral Desk',
    option: '3',
    framework: 'hono',
    kind: 'ui',
    byHand: [
      'README.md',
      'public/app.css',
      'src/api.ts',
      'src/referrals.ts',
      'src/browser/app-view.ts',
      'test/api.test.ts',
    ],
  },
  {
    name: 'Coding Watch',
    option: '2',
    framework: 'express',
    kind: 'worker',
    byHand: [
      'README.md',
      'package.json',
      'public/app.css',
      'src/app.ts',
      'src/presence-log.ts',
      'src/server.ts',
      'src/status-page.ts',
      'src/browser/main.ts',
      'test/app.test.ts',
    ],
    without: [
      'src/api.ts',
      'src/launch.ts',
      'src/require-identity.ts',
      'src/browser/launch.ts',
      'src/browser/launch-page.ts',
      'test/',
    ],
  },
  {
    name: 'Growth Chart',
    option: '1',
    framework: 'express',
    kind: 'ui',
    byHand: [
      'README.md',
      'package.json',
      'public/app.css',
      'src/app.ts',
      'src/callback.ts',
      'src/cookies.ts',
      'src/expiring-map.ts',
      'src/growth-data.ts',
      'src/headers.ts',
      'src/oauth.ts',
      'src/oauth-problem.ts',
      'src/server.ts',
      'src/browser/drawing.ts',
      'src/browser/main.ts',
      'src/browser/take-query.ts',
      'test/app.test.ts',
      'test/expiring-map.test.ts',
      'test/fixture.ts',
      'test/oauth-problem.test.ts',
    ],
    without: [
      'src/api.ts',
      'src/launch.ts',
      'src/require-identity.ts',
      'src/browser/app-view.ts',
      'src/browser/draft-field.ts',
      'src/browser/launch.ts',
      'src/browser/launch-page.ts',
      'test/',
    ],
  },
]

export const sampleFolder = ({ name }: Choices): string =>
  fileURLToPath(new URL(`../examples/${buildSlug(name)}`, import.meta.url))

/** The written files, by path. @throws Error for a place in `without` that no template has */
export async function buildSampleFiles(sample: Sample): Promise<ReadonlyMap<string, string>> {
  const { byHand, without = [] } = sample
  const files = await buildAppFiles(sample, fromRegistry(`^${version}`))
  const isIn = (path: string, place: string) =>
    place.endsWith('/') ? path.startsWith(place) : path === place
  const unknown = without.find((place) => ![...files.keys()].some((path) => isIn(path, place)))
  if (unknown) throw new Error(`${sample.name}: no template has ${unknown}.`)
  const others = [...byHand, ...without]
  const written = [...files].filter(([path]) => !others.some((place) => isIn(path, place)))
  return new Map(written.map(([path, content]) => [path, String(content)]))
}

/** The paths of all written files, from the root, for what counts or reviews files by hand. */
export async function listWrittenFiles(): Promise<string[]> {
  const lists = SAMPLES.map(async (sample) =>
    [...(await buildSampleFiles(sample)).keys()].map(
      (path) => `examples/${buildSlug(sample.name)}/${path}`,
    ),
  )
  return (await Promise.all(lists)).flat().sort()
}

async function writeSample(sample: Sample): Promise<void> {
  for (const [path, content] of await buildSampleFiles(sample)) {
    const file = join(sampleFolder(sample), path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

if (import.meta.main) {
  const { list } = defineTool('samples', 'Writes the sample apps from the templates again.')
    .option('--list', 'print the files that it writes, and write none')
    .parse()
    .opts<{ list?: boolean }>()
  if (list) process.stdout.write(`${(await listWrittenFiles()).join('\n')}\n`)
  else await writeSamples()
}

async function writeSamples(): Promise<void> {
  await Promise.all(SAMPLES.map(writeSample))
  for (const { name, byHand } of SAMPLES) {
    process.stdout.write(`${name}: written, but for ${byHand.length} files by hand\n`)
  }
}
