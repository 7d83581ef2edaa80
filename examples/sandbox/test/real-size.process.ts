// A sandbox with data of real size: its service has them, and people of it sign in; a database with data is refused.
// Only a process shows that the tool and the service take the same database.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '../src/sandbox.ts'

let dataDir = ''
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartside-real-size-'))
})
after(() => rm(dataDir, { recursive: true, force: true }))

test('fills a new database with an installation of real size, and no other', async () => {
  const lines: string[] = []
  const start = () =>
    startSandbox({
      ...{ port: 0, dataDir, only: ['none'], realSize: 200 },
      log: ({ text }) => lines.push(text),
    })
  const sandbox = await start()
  try {
    const base = sandbox.places.service.url
    const named = lines.find((line) => line.startsWith('practiceAdmin: '))
    const password = lines.find((line) => line.startsWith('The password'))?.split(': ')[1] ?? ''
    const token = await post(`${base}/auth/sign-in`, {
      email: named?.split(': ')[1] ?? '',
      password,
    })
    assert.equal(typeof token.token, 'string', lines.join('\n'))
    const admin = await post(`${base}/auth/sign-in`, { ...sandbox.administrator })
    const headers = { authorization: `Bearer ${admin.token}` }
    const counted = await fetch(`${base}/api/health/overview?hours=168`, { headers })
    const { figures } = (await counted.json()) as Overview
    assert.ok((figures.launches.value ?? 0) > 20, JSON.stringify(figures))
    assert.match(lines.join('\n'), /^Filled in \d+\.\d s$/m)
  } finally {
    await sandbox.stop()
  }
  await assert.rejects(start(), /The database has data already/)
})

interface Overview {
  readonly figures: { readonly launches: { readonly value: number | null } }
}

async function post(url: string, body: object): Promise<{ readonly token?: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { token?: string }
}
