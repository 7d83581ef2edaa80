// A database belongs to one installation: the first start records environment and issuer, and a node
// with others is refused before it changes anything. Both engines. Security V14.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OtherInstallation } from '../src/cluster/installation.ts'
import { updateInstallation } from '../src/cluster/installation-store.ts'
import { openDatabase } from '../src/db/open.ts'
import { sql } from '../src/db/sql.ts'
import { ENGINES, type Engine } from './engines.ts'
import { startTestService } from './test-service.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

for (const [name, start] of ENGINES) {
  const title = (text: string) => `${name}: ${text}`
  describe(name, () => {
    let engine: Engine
    before(async () => {
      engine = await start()
    })
    after(() => engine.stop())
    const settingsOf = (url: string, environment: string, base: string) => ({
      CHARTSIDE_DATABASE_URL: url.startsWith('file:') ? url : `${url}?sslmode=disable`,
      CHARTSIDE_ENVIRONMENT: environment,
      CHARTSIDE_BASE_URL: base,
      CHARTSIDE_MASTER_KEY: MASTER_KEY,
    })
    const isRefused = (error: unknown) => {
      assert.ok(error instanceof OtherInstallation, String(error))
      assert.match(error.message, /belongs to .+, and this node is configured for /)
      assert.match(error.message, /chartside installation change/)
      return true
    }

    test(title('refuses a node of another environment or issuer [V14]'), async () => {
      const url = await engine.freshDatabase()
      const production = settingsOf(url, 'production', 'https://connect.example')
      await (await startTestService(production)).close()
      for (const other of [
        settingsOf(url, 'staging', 'https://connect.example'),
        settingsOf(url, 'production', 'https://connect.example.net'),
        { ...production, CHARTSIDE_ISSUER_URL: 'https://id.example/app-auth' },
        settingsOf(url, 'development', 'http://localhost:4700'),
      ]) {
        await assert.rejects(startTestService(other), isRefused)
      }
      await (await startTestService(production)).close()
    })

    test(title('of two nodes that start first with other settings one starts [V14]'), async () => {
      for (let round = 0; round < 2; round++) {
        const url = await engine.freshDatabase()
        const starts = await Promise.allSettled([
          startTestService(settingsOf(url, 'staging', 'https://staging.example')),
          startTestService(settingsOf(url, 'production', 'https://connect.example')),
        ])
        const started = starts.filter((one) => one.status === 'fulfilled')
        const refused = starts.filter((one) => one.status === 'rejected')
        for (const { value } of started) await value.close()
        assert.equal(started.length, 1)
        for (const { reason } of refused) isRefused(reason)
      }
    })

    test(title('is refused before a migration of its version runs [V14]'), async () => {
      const url = await engine.freshDatabase()
      await (await startTestService(settingsOf(url, 'staging', 'https://staging.example'))).close()
      const db = await openDatabase(url)
      await db.write(sql`DELETE FROM schema_migrations WHERE version = 100`)
      const other = startTestService(settingsOf(url, 'production', 'https://connect.example'))
      await assert.rejects(other, isRefused)
      assert.deepEqual(await db.read(sql`SELECT 1 FROM schema_migrations WHERE version = 100`), [])
      await db.close()
    })

    test(title('of two operators who change it at once one does [V14]'), async () => {
      const url = await engine.freshDatabase()
      const seen = { environment: 'staging', issuer: 'https://staging.example/app-auth' } as const
      await (await startTestService(settingsOf(url, 'staging', 'https://staging.example'))).close()
      const db = await openDatabase(url)
      const change = (issuer: string) => updateInstallation(db, seen, { ...seen, issuer }, 1)
      assert.equal(await change('https://first.example/app-auth'), true)
      assert.equal(await change('https://second.example/app-auth'), false)
      const [stored] = await db.read(sql`SELECT issuer FROM installation`)
      assert.equal(stored?.issuer, 'https://first.example/app-auth')
      await db.close()
    })

    test(title('a developer may choose another port for the same database'), async () => {
      const url = await engine.freshDatabase()
      for (const port of [4700, 4900]) {
        const settings = settingsOf(url, 'development', `http://localhost:${port}`)
        await (await startTestService(settings)).close()
      }
    })
  })
}
