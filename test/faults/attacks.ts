// The attacks of one caller that once slowed every other, each on one connection: what is prepared for
// it, and what it sends. Requirements V01 to V05.
import { api, authorizePath, bearer, launch, type Practice } from '../process/story-verbs.ts'
import type { AttackWork } from './attack-worker.ts'
import { bytesOf, ONE_CONNECTION } from './attacker.ts'

export interface Attack {
  readonly item: string
  readonly name: string
  /** What it did before it was mended, as the attacker measured it then. */
  readonly before: string
  /** Makes the records that it needs, as the attacker would, and the work of its connection. */
  prepare(practice: Practice): Promise<Omit<AttackWork, 'port' | 'seconds'>>
}

const names = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 1])))

/** Just below the bound of a draft. */
const fatDraft = () => ({
  ehrs: Array.from({ length: 90 }, (_, i) => ({
    ehrType: `ehr-${i}`,
    name: `EHR ${i}`,
    matches: Array.from(
      { length: 45 },
      (_, n) => `https://ehr-${i}.example/${'x'.repeat(25)}/${n}/*`,
    ),
  })),
  apps: [],
})

export const ATTACKS: readonly Attack[] = [
  {
    item: 'a',
    name: '33,000 member names in the body of a sign-in',
    before: 'p50 of all others 2 → 332 ms at 11 requests/s',
    prepare: async () => ({
      ...ONE_CONNECTION,
      requests: [bytesOf('POST', '/auth/sign-in', { body: names(33_000) })],
    }),
  },
  {
    item: 'b',
    name: 'lists of fat versions that are not read',
    before: 'health 34 s, memory 265 → 3,516 MB',
    async prepare(practice) {
      const { accountId, sessionToken } = practice
      const draft = fatDraft()
      const made = await api(practice, 'POST', '/api/collections', {
        accountId,
        name: 'Fat',
        draft,
      })
      const { id } = made.body
      for (let i = 0; i < 40; i++) {
        await api(practice, 'PATCH', `/api/collections/${id}`, { description: `${i}` })
        await api(practice, 'POST', `/api/collections/${id}/versions`, { notes: 'x'.repeat(1900) })
      }
      const headers = bearer(sessionToken)
      const path = `/api/collections/${id}/versions?limit=200`
      return {
        ...ONE_CONNECTION,
        ...{ requests: [bytesOf('GET', path, { headers })], depth: 60, isReading: false },
      }
    },
  },
  {
    item: 'c',
    name: 'an app with as many secrets as it may have, changed and asked in turn',
    before: 'p50 of all others 2 → 216 ms at 7 requests/s, with 70,000 secrets',
    async prepare(practice) {
      const { app, sessionToken } = practice
      for (let i = 0; i < 30; i++) await api(practice, 'POST', `/api/apps/${app.id}/secrets`, {})
      const headers = bearer(sessionToken)
      const token = { grant_type: 'authorization_code', code: 'x' }
      const own = { client_id: app.clientId, client_secret: app.secret }
      return {
        ...ONE_CONNECTION,
        requests: [
          bytesOf('PATCH', `/api/apps/${app.id}`, { headers, body: '{"requirePkce":false}' }),
          bytesOf('POST', '/app-auth/token', { body: JSON.stringify({ ...token, ...own }) }),
        ],
      }
    },
  },
  {
    item: 'd',
    name: 'event streams without end, and steps that are reported again and again',
    before: 'p50 of all others 3 → 143 ms with 1,500 streams',
    async prepare(practice) {
      const { sessionId, sessionToken } = practice
      const { id } = await launch(practice)
      const headers = bearer(sessionToken)
      for (let i = 0; i < 12; i++) void openStream(practice)
      const body = '{"step":"opened","outcome":"ok"}'
      return {
        ...ONE_CONNECTION,
        requests: [
          bytesOf('POST', `/api/launches/${id}/steps`, { headers, body }),
          bytesOf('GET', `/api/sessions/${sessionId}`, { headers }),
        ],
      }
    },
  },
  {
    item: 'e',
    name: 'authorize over its limit, a hundred requests ahead',
    before: 'p50 of all others 2 → 503 ms, 6 of 15 answered 503',
    prepare: async () => ({
      ...ONE_CONNECTION,
      ...{ requests: [bytesOf('GET', '/app-auth/authorize')], depth: 100 },
    }),
  },
  {
    item: 'f',
    name: 'authorize of one launch again and again, without a credential',
    before: '3,000 answered and 3,001 audit events kept for ever',
    async prepare(practice) {
      const { launchId } = await launch(practice)
      return { ...ONE_CONNECTION, requests: [bytesOf('GET', authorizePath(practice, launchId))] }
    },
  },
]

/** Ends with the service. */
async function openStream({ baseUrl, sessionId, sessionToken }: Practice): Promise<void> {
  const stream = await fetch(`${baseUrl}/api/sessions/${sessionId}/events`, {
    headers: bearer(sessionToken),
  }).catch(() => undefined)
  if (!stream?.ok) return
  try {
    for await (const _ of stream.body ?? []) void _
  } catch {
    // Cut when the service ends.
  }
}
