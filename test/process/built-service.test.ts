// What a start of the built service loads: not the parts of Node.js that it never uses, each of which
// would cost it as much as its own routes. Decision 43.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildPrograms } from '../../scripts/build/programs.ts'
import { startService } from './service-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-loaded-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const LOADED = join(folder, 'loaded.json')
const RECORDER = join(folder, 'recorder.cjs')
/** `process.moduleLoadList` names the modules of Node.js itself in the order in which they were loaded. */
writeFileSync(
  RECORDER,
  `process.on('exit', () => require('node:fs').writeFileSync(
    ${JSON.stringify(LOADED)}, JSON.stringify(process.moduleLoadList)))`,
)

test('loads neither undici nor HTTP/2 to start, serve and end', async () => {
  // The runner has made the bundle already.
  if (process.env.BUILT_PROGRAMS !== '1') await buildPrograms()
  const service = await startService({
    nodeFlags: ['--require', RECORDER],
    environment: { BUILT_PROGRAMS: '1' },
  })
  try {
    const metadata = `${service.baseUrl}/app-auth/.well-known/openid-configuration`
    assert.equal((await fetch(metadata)).status, 200)
    await service.end('SIGTERM')
  } finally {
    await service.discard()
  }
  const loaded: string[] = JSON.parse(readFileSync(LOADED, 'utf8'))
  assert.ok(loaded.includes('NativeModule _http_server'), 'the list is that of the service')
  assert.deepEqual(
    loaded.filter((name) => /undici|http2/.test(name)),
    [],
  )
})
