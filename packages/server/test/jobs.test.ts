// Each background job as a node runs it: what it does when its time has come, and what it leaves alone. The rules
// behind it have tests of their own; here a job that does nothing, or too much, is seen. Both engines.
// Security F06, J06, K02, P06, P07.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PLATFORM } from '../src/audit/audit.ts'
import { listChainPositions, updateChainPositions } from '../src/audit/audit-link-store.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { countPending, listEvents } from '../src/audit/audit-trail.ts'
import { mintInvitation } from '../src/credentials/invitation.ts'
import { insertInvitationStatements } from '../src/credentials/invitation-store.ts'
import { sql } from '../src/db/sql.ts'
import { raiseCountStatement } from '../src/http/admission/rate-limit-store.ts'
import { backgroundJobs } from '../src/jobs/jobs.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { redeemJwt } from '../src/keys/used-jwt-store.ts'
import { insertFlow } from '../src/sign-in/client-flow/sign-in-flow-store.ts'
import { insertInteractionStatement } from '../src/sign-in/interaction/interaction-store.ts'
import { ENGINES, type Engine } from './engines.ts'
import { type Story, startStory } from './story.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

for (const [name, start] of ENGINES) {
  describe(name, () => {
    let engine: Engine
    let story: Story
    before(async () => {
      engine = await start()
      story = await startStory({ CHARTSIDE_DATABASE_URL: await engine.freshDatabase() })
    })
    after(async () => {
      await story.close()
      await engine.stop()
    })
    const title = (text: string) => `${name}: ${text}`

    const jobsOf = () => {
      const jobs = backgroundJobs(story.service.service)
      return (job: string) => {
        const found = jobs.find((one) => one.name === job)
        assert.ok(found, job)
        return found.run(new AbortController().signal)
      }
    }
    const trail = async (accountId: string, about: string) => {
      const page = { accountId, about, before: 'evt_~', limit: 50 }
      return listEvents(story.service.service.db, page)
    }

    test(
      title('the minute removes sign-in steps that are over, and none that is open'),
      async () => {
        const { db, clock, randomness, config } = story.service.service
        const [admin] = await db.read(sql`SELECT id FROM users`)
        const begin = async (hash: string) => {
          const now = clock()
          const times = { createdAt: now, expiresAt: now + 600_000 }
          await insertFlow(db, { sessionHash: hash, challenge: 'x', ...times })
          const session = { secret: 'x'.repeat(43) }
          const key = { id: newId('stp', now, randomness), session, kind: 'refused', now } as const
          const about = {
            purpose: 'method',
            userId: String(admin?.id),
            createdBy: String(admin?.id),
            accountId: undefined,
            signInId: undefined,
          } as const
          const minted = mintInvitation(config.baseUrl, about, now, randomness)
          const step = insertInteractionStatement(key, { email: 'a@b.example' })
          await db.write(step, ...insertInvitationStatements(minted))
          return [hash, key.id, minted.invitation.id]
        }
        const stored = async () => {
          const [flows, steps, links] = [
            await db.read(sql`SELECT session_hash AS id FROM sign_in_flows`),
            await db.read(sql`SELECT id FROM browser_steps`),
            await db.read(sql`SELECT id FROM invitations`),
          ]
          return [...flows, ...steps, ...links].map(({ id }) => String(id)).sort()
        }
        await begin('over')
        story.service.clock.advance(11 * MINUTE)
        const open = await begin('open')
        await jobsOf()('sign-in')
        assert.deepEqual(await stored(), open.sort())
      },
    )

    test(title('counters of failures whose window is over go, in batches [F06]'), async () => {
      const { db, clock } = story.service.service
      const raise = (key: string) => raiseCountStatement(key, clock(), 60_000)
      await db.write(...Array.from({ length: 501 }, (_, i) => raise(`poll:${i}`)))
      story.service.clock.advance(61)
      await db.write(raise('poll:running'))
      const run = jobsOf()
      assert.equal(await run('rate limits'), 1000, 'more are left: again in a second')
      assert.equal(await run('rate limits'), undefined)
      const left = await db.read(sql`SELECT key FROM rate_limits WHERE key LIKE 'poll:%'`)
      assert.deepEqual(
        left.map(({ key }) => key),
        ['poll:running'],
      )
    })

    test(title('used assertions go once they have expired, and not earlier [F06]'), async () => {
      const { db, clock } = story.service.service
      const use = (jti: string, inMs: number) =>
        redeemJwt(db, { signedBy: 'app_1', jti, expiresAt: clock() + inMs })
      await use('over', -1)
      await use('running', 1)
      await jobsOf()('client assertions')
      assert.equal(await use('running', 1), false, 'a replay is seen until it has expired')
      assert.equal((await db.read(sql`SELECT jti_hash FROM client_assertions`)).length, 1)
    })

    test(
      title('keys are made and retired by the schedule, each with its event [J06, P06]'),
      async () => {
        const { keys, clock } = story.service.service
        const published = () => keys.published(clock()).keys.map(({ kid }) => kid)
        const [first = ''] = published()
        await jobsOf()('keys')
        const [made] = await trail(PLATFORM, 'createKey')
        assert.deepEqual([made?.actor, made?.outcome], ['service', 'ok'])
        await jobsOf()('keys')
        assert.equal((await trail(PLATFORM, 'createKey')).length, 1, 'one standby key is enough')
        story.service.clock.advance(91 * DAY)
        await jobsOf()('keys')
        const [retired] = await trail(PLATFORM, 'retireKey')
        assert.deepEqual([retired?.actor, retired?.target], ['service', first])
        await jobsOf()('cache versions')
        assert.ok(!published().includes(first) && published().includes(made?.target ?? ''))
      },
    )

    test(title('a secret that expires within two weeks is logged once a day [K02]'), async () => {
      const soon = await startStory({ CHARTSIDE_DATABASE_URL: await engine.freshDatabase() })
      try {
        const { service, accountId } = soon
        const url = `/api/apps/${soon.app.id}/secrets`
        const after = (days: number) => new Date(service.clock() + days * DAY * 1000).toISOString()
        const makeSecret = async (days: number) =>
          (await soon.api('POST', url, { expiresAt: after(days) })).json().id
        const expiring = await makeSecret(13)
        await makeSecret(16)
        const retired = await makeSecret(10)
        await soon.api('DELETE', `${url}/${retired}`)
        const deleted = await soon.registerApp('deleted')
        await soon.api('POST', `/api/apps/${deleted.id}/secrets`, { expiresAt: after(9) })
        await soon.api('DELETE', `/api/apps/${deleted.id}`)
        const logged = async () => {
          const job = backgroundJobs(service.service).find((one) => one.name === 'expiring secrets')
          await job?.run(new AbortController().signal)
          const page = { accountId, about: 'secretExpiresSoon', before: 'evt_~', limit: 50 }
          return (await listEvents(service.service.db, page)).map(({ target }) => target)
        }
        assert.deepEqual(await logged(), [expiring])
        assert.deepEqual(await logged(), [expiring], 'not again on the same day')
        assert.match(service.logText(), /a client secret expires soon/)
        service.clock.advance(DAY)
        assert.deepEqual(await logged(), [expiring, expiring])
      } finally {
        await soon.close()
      }
    })

    test(title('an event that was written late is chained within ten minutes [P07]'), async () => {
      const { db, clock, randomness } = story.service.service
      const run = jobsOf()
      const chain = async () => {
        for (let slot = 0; slot < 20; slot++) await run('audit chain')
      }
      await chain()
      story.service.clock.advance(MINUTE)
      await chain()
      const [newest] = await trail(story.accountId, 'createApp')
      assert.ok(newest)
      const { chain: _, ...event } = newest
      const at = clock() - 50_000
      await db.write(insertEventStatement({ ...event, at, id: newId('evt', at, randomness) }))
      await chain()
      story.service.clock.advance(10 * MINUTE)
      await chain()
      assert.equal(await countPending(db, story.accountId), 0)
      assert.equal((await trail(story.accountId, 'createApp')).length, 2)
    })

    test(title('a slower node moves no chain back [P07]'), async () => {
      const { db, clock } = story.service.service
      const later = clock() + DAY
      await updateChainPositions(db, [3], later)
      await updateChainPositions(db, [3], later - 1)
      assert.equal((await listChainPositions(db)).get(3), later)
    })
  })
}
