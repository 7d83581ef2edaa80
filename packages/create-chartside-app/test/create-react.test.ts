// What the command writes for pages in React: React with Vite, and Next.js.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFixture } from './command-fixture.ts'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('refuses a worker in React, which has no page', async (t) => {
  const { run, list } = openFixture(t)
  for (const framework of ['react-vite', 'next']) {
    const refused = run(`my-app --framework ${framework} --kind worker`)
    await assert.rejects(refused, /A Worker app has no screen.*--kind ui, or --framework express/)
  }
  assert.deepEqual(list(), ['here'])
})

test('writes a page in React, with exactly the packages that it needs', async (t) => {
  const { cwd, run } = openFixture(t)
  await run('my-app --framework react-vite --option 2')
  const app = join(cwd, 'my-app')
  const { dependencies, devDependencies } = readJson(join(app, 'package.json'))
  assert.deepEqual(Object.keys(dependencies), [
    '@chartside/app-kit',
    '@chartside/sdk',
    '@hono/node-server',
    '@vitejs/plugin-react',
    'hono',
    'react',
    'react-dom',
    'vite',
  ])
  assert.ok('@types/react' in devDependencies)
  const files = readdirSync(join(app, 'src/browser'))
  assert.ok(files.includes('app.tsx') && !files.includes('app-view.ts'), files.join())
  assert.match(readFileSync(join(app, 'README.md'), 'utf8'), /React with Vite[\s\S]*app\.tsx/)
})

const OF_THE_KIT = ['api/[...path]/route.ts', 'api/me/route.ts', 'backchannel-logout/route.ts']

test('writes an app with Next.js, with the route handlers of its option', async (t) => {
  const { cwd, run } = openFixture(t)
  const routesOf = (app: string) =>
    globSync('**/route.ts', { cwd: join(cwd, app, 'app') })
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
  for (const [option, routes] of [
    ['1', OF_THE_KIT],
    ['2', [...OF_THE_KIT, 'token/route.ts']],
    ['3', OF_THE_KIT],
  ] as const) {
    await run(`app-${option} --framework next --option ${option}`)
    assert.deepEqual(routesOf(`app-${option}`), routes)
  }
  const app = join(cwd, 'app-2')
  const { dependencies } = readJson(join(app, 'package.json'))
  const needed = ['@chartside/app-kit', '@chartside/sdk', 'next', 'react', 'react-dom']
  assert.deepEqual(Object.keys(dependencies), needed)
  const sources = globSync('src/**/*.*', { cwd: app })
  assert.ok(sources.includes(join('src', 'chartside.ts')))
  assert.ok(!sources.some((path) => /assets|pages|main\.ts/.test(path)), sources.join())
  assert.match(readFileSync(join(app, 'README.md'), 'utf8'), /Next\.js[\s\S]*proxy\.ts/)
})
