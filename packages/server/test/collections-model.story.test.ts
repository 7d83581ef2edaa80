// Random interleavings of create, change, publish, assign, delete and launch, each answer held to a
// small reference model (collections-model.ts). A failure prints its seed and the shortest way to it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import {
  contentFor,
  type Draft,
  EHR_TYPES,
  isInUse,
  isPublishable,
  launchAnswer,
  type Model,
  newModel,
} from './collections-model.ts'
import { type Story, startStory } from './story.ts'
import { isOnPostgres } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

/** Rules are judged on SQLite; PostgreSQL shows that its statements say the same. */
const RUNS = isOnPostgres ? 10 : 20
const MAX_STEPS = 80

/** A step: what it asks of the service, and what the model says must come of it. */
type Step = (model: Model) => Promise<void>
type StepOf<T> = (model: Model, value: T) => Promise<void>

async function call(method: Parameters<Story['api']>[0], url: string, body?: object) {
  const answer = await story.api(method, url, body)
  const json = answer.body === '' ? {} : answer.json()
  return { status: answer.statusCode, json, etag: String(answer.headers.etag) }
}

/** One of what there is; a step that needs what is not there does nothing. */
const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % (items.length || 1)]

const createApp: StepOf<null> = async (model) => {
  const body = { accountId: story.accountId, name: 'app', launchUrl: 'https://app.example/' }
  const { status, json } = await call('POST', '/api/apps', body)
  assert.equal(status, 201)
  model.apps.push({ id: json.id, state: 'enabled' })
}

const changeApp: StepOf<[number, 'enabled' | 'disabled' | 'deleted']> = async (model, [n, to]) => {
  const app = pick(model.apps, n)
  if (!app) return
  const url = `/api/apps/${app.id}`
  const isGone = app.state === 'deleted'
  const { status } =
    to === 'deleted'
      ? await call('DELETE', url)
      : await call('PATCH', url, { enabled: to === 'enabled' })
  assert.equal(status, isGone ? 404 : to === 'deleted' ? 204 : 200)
  if (!isGone) app.state = to
}

const createCollection: StepOf<null> = async (model) => {
  const body = { accountId: story.accountId, name: 'collection' }
  const { json } = await call('POST', '/api/collections', body)
  const draft = { ehrs: [], apps: [] }
  assert.deepEqual(json.draft, draft)
  model.collections.push({ id: json.id, draft, versions: [], isDeleted: false })
}

interface DraftPlan {
  readonly collection: number
  readonly ehrTypes: readonly (typeof EHR_TYPES)[number][]
  readonly apps: readonly number[]
  readonly onlyOn: (typeof EHR_TYPES)[number] | undefined
  readonly isStale: boolean
}

const patchDraft: StepOf<DraftPlan> = async (model, plan) => {
  const collection = pick(model.collections, plan.collection)
  if (!collection) return
  const appIds = new Set(plan.apps.flatMap((n) => pick(model.apps, n)?.id ?? []))
  const draft: Draft = {
    ehrs: plan.ehrTypes.map((ehrType) => ({ ehrType, name: ehrType, matches: [] })),
    apps: [...appIds].map((appId) => ({
      appId,
      autoLaunch: true,
      ...(plan.onlyOn ? { ehrTypes: [plan.onlyOn] } : {}),
    })),
  }
  const url = `/api/collections/${collection.id}`
  const answer = await story.request({
    method: 'PATCH',
    url,
    headers: {
      authorization: `Bearer ${story.adminToken}`,
      ...(plan.isStale ? { 'if-match': '"something-older"' } : {}),
    },
    payload: { draft },
  })
  const expected = collection.isDeleted ? 404 : plan.isStale ? 412 : 200
  assert.equal(answer.statusCode, expected, answer.body)
  if (expected === 200) collection.draft = draft
  if (!collection.isDeleted) {
    assert.deepEqual((await call('GET', url)).json.draft, collection.draft)
  }
}

const publish: StepOf<[number, number]> = async (model, [n, atOnce]) => {
  const collection = pick(model.collections, n)
  if (!collection) return
  const url = `/api/collections/${collection.id}/versions`
  const { versions, draft, isDeleted } = collection
  const expected = isDeleted ? 404 : isPublishable(model, draft) ? 201 : 400
  const answers = await Promise.all(Array.from({ length: atOnce }, () => call('POST', url, {})))
  for (const { status } of answers) assert.equal(status, expected)
  if (expected !== 201) return
  const numbers = answers.map(({ json }) => json.version).sort((a, b) => a - b)
  const next = Array.from({ length: atOnce }, (_, i) => versions.length + 1 + i)
  assert.deepEqual(numbers, next)
  for (const _ of answers) versions.push(draft)
}

const readVersion: StepOf<[number, number]> = async (model, [n, number]) => {
  const collection = pick(model.collections, n)
  if (!collection) return
  const { status, json } = await call('GET', `/api/collections/${collection.id}/versions/${number}`)
  const content = collection.isDeleted ? undefined : collection.versions[number - 1]
  assert.equal(status, content ? 200 : 404)
  if (content) assert.deepEqual(json.content, content)
}

const deleteCollection: StepOf<number> = async (model, n) => {
  const collection = pick(model.collections, n)
  if (!collection) return
  const { status } = await call('DELETE', `/api/collections/${collection.id}`)
  const isRefused = isInUse(model, collection)
  assert.equal(status, collection.isDeleted ? 404 : isRefused ? 409 : 204)
  if (!isRefused) collection.isDeleted = true
}

const createAccount: StepOf<null> = async (model) => {
  const { json } = await call('POST', '/api/accounts', { name: 'account' })
  model.accounts.push({ id: json.id, choice: undefined, isDeleted: false })
}

const assign: StepOf<[number, number, number | 'latest']> = async (model, [n, c, version]) => {
  const [account, collection] = [pick(model.accounts, n), pick(model.collections, c)]
  if (!account || !collection) return
  const body = { collection: { id: collection.id, version } }
  const { status } = await call('PATCH', `/api/accounts/${account.id}`, body)
  const count = collection.isDeleted ? 0 : collection.versions.length
  const isThere = version === 'latest' ? count > 0 : version <= count
  assert.equal(status, account.isDeleted ? 404 : isThere ? 200 : 400)
  if (status === 200) account.choice = { collection, version }
}

const deleteAccount: StepOf<number> = async (model, n) => {
  const account = pick(model.accounts, n)
  if (!account) return
  const { status } = await call('DELETE', `/api/accounts/${account.id}`)
  assert.equal(status, account.isDeleted ? 404 : 204)
  account.isDeleted = true
}

const openSession: StepOf<[number, (typeof EHR_TYPES)[number]]> = async (model, [n, ehrType]) => {
  const account = pick(model.accounts, n)
  if (!account) return
  const body = { accountId: account.id, ehrType, deviceId: 'd' }
  const { status, json } = await call('POST', '/api/sessions', body)
  const content = contentFor(model, account, ehrType)
  assert.equal(status, account.isDeleted ? 404 : content ? 201 : 400)
  if (status !== 201 || !content) return
  const appIds = json.apps.map(({ id }: { id: string }) => id)
  assert.deepEqual(appIds, content.appIds)
  assert.equal(json.collection?.version, content.version)
  model.sessions.push({ id: json.id, account, appIds })
}

const launch: StepOf<[number, number]> = async (model, [s, a]) => {
  const [session, app] = [pick(model.sessions, s), pick(model.apps, a)]
  if (!session || !app) return
  const body = { appId: app.id, kind: 'ui' }
  const { status, json } = await call('POST', `/api/sessions/${session.id}/launches`, body)
  assert.equal(status === 201 ? 'created' : json.code, launchAnswer(model, session, app.id))
}

const small = fc.nat({ max: 7 })
const ehrType = fc.constantFrom(...EHR_TYPES)
const number = fc.integer({ min: 1, max: 6 })

/** A step with its values, which shows itself in the report of a failure. */
const step = <T>(name: string, run: StepOf<T>, values: fc.Arbitrary<T>) =>
  values.map((value): { toString(): string; run: Step } => ({
    toString: () => `${name}(${fc.stringify(value)})`,
    run: (model) => run(model, value),
  }))

/** Deleted is for ever, so it comes seldom. */
const appState = fc.constantFrom(
  ...(['enabled', 'disabled', 'enabled', 'disabled', 'disabled', 'deleted'] as const),
)
const plan: fc.Arbitrary<DraftPlan> = fc.record({
  collection: small,
  ehrTypes: fc.oneof(fc.constant([...EHR_TYPES]), fc.subarray([...EHR_TYPES])),
  apps: fc.array(small, { maxLength: 4 }),
  onlyOn: fc.option(ehrType, { nil: undefined, freq: 2 }),
  isStale: fc.nat({ max: 4 }).map((n) => n === 0),
})
const anyStep = fc.oneof(
  step('createApp', createApp, fc.constant(null)),
  step('changeApp', changeApp, fc.tuple(small, appState)),
  step('createCollection', createCollection, fc.constant(null)),
  { arbitrary: step('patchDraft', patchDraft, plan), weight: 3 },
  { arbitrary: step('publish', publish, fc.tuple(small, number)), weight: 3 },
  step('readVersion', readVersion, fc.tuple(small, number)),
  step('deleteCollection', deleteCollection, small),
  step('createAccount', createAccount, fc.constant(null)),
  {
    arbitrary: step(
      'assign',
      assign,
      fc.tuple(small, small, fc.oneof(number, fc.constant('latest' as const))),
    ),
    weight: 3,
  },
  step('deleteAccount', deleteAccount, small),
  { arbitrary: step('openSession', openSession, fc.tuple(small, ehrType)), weight: 5 },
  { arbitrary: step('launch', launch, fc.tuple(small, small)), weight: 5 },
)

/** Something runs somewhere already, so that the steps that follow have what they need. */
async function setTheStage(model: Model): Promise<void> {
  for (const make of [createApp, createApp, createApp, createCollection, createAccount]) {
    await make(model, null)
  }
  const everywhere = { collection: 0, ehrTypes: EHR_TYPES, apps: [0, 1], isStale: false }
  await patchDraft(model, { ...everywhere, onlyOn: undefined })
  await publish(model, [0, 1])
  await assign(model, [0, 0, 'latest'])
  await openSession(model, [0, 'meadow'])
}

test('whatever order things happen in, what runs where is what the model says', async () => {
  const steps = fc.array(anyStep, { minLength: 40, maxLength: MAX_STEPS, size: 'max' })
  const property = fc.asyncProperty(steps, async (sequence) => {
    const model = newModel()
    await setTheStage(model)
    for (const { run } of sequence) await run(model)
  })
  await fc.assert(property, { numRuns: RUNS })
})
