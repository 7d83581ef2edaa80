// Puts the apps of this run and the sample EHRs on the sample collection, so that the apps open beside the
// chart: changes its draft and publishes a version when something differs. Keeps what was added by hand.
// Public API only. Contract §4 (Collection, Version).
import { isDeepStrictEqual } from 'node:util'
import type {
  Account,
  Collection,
  CollectionContent,
  CollectionVersion,
} from '@chartside/protocol/payloads'
import { SAMPLE_EHRS, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { COMMAND } from './installation.ts'
import type { RegisteredApp, Registrations } from './registration.ts'
import type { ServiceApi } from './service-api.ts'

const MAX_NOTES_LENGTH = 500

type CollectionApp = CollectionContent['apps'][number]

/** Running apps come first, in their order; the tab of an app that does not run would be empty. */
export async function publishApps(
  api: ServiceApi,
  { apps, notRunning }: Registrations,
): Promise<void> {
  const isOurs = (ehrType: string) => SAMPLE_EHRS.some((ehr) => ehr.ehrType === ehrType)
  const ours = apps.map((app) => toCollectionApp(app, apps.length === 1))
  const managed = new Set([...notRunning, ...ours.map(({ appId }) => appId)])
  const names = apps.map(({ place }) => place.manifest.registration.name)
  await publishContent(api, `With ${names.join(', ')}`, (draft) => {
    const byHand = draft.apps.filter(({ appId }) => !managed.has(appId))
    const others = draft.ehrs.filter(({ ehrType }) => !isOurs(ehrType))
    // A mode that was set by hand stays.
    const ehrs = SAMPLE_EHRS.map((ehr) => ({
      ...draft.ehrs.find(({ ehrType }) => ehrType === ehr.ehrType),
      ...ehr,
    }))
    return { ehrs: [...ehrs, ...others], apps: [...ours, ...byHand] }
  })
}

/** Changes the draft and publishes it, each when it differs. */
export async function publishContent(
  api: ServiceApi,
  notes: string,
  change: (draft: CollectionContent) => CollectionContent,
): Promise<void> {
  const path = `/api/collections/${await findCollectionId(api)}`
  const { draft, latestVersion } = await api.call<Collection>('GET', path)
  const wanted = change(draft)
  if (!isDeepStrictEqual(draft, wanted)) await api.call('PATCH', path, { draft: wanted })
  const version = `${path}/versions/${latestVersion}`
  const { content } = await api.call<CollectionVersion>('GET', version)
  if (isDeepStrictEqual(content, wanted)) return
  await api.call('POST', `${path}/versions`, { notes: notes.slice(0, MAX_NOTES_LENGTH) })
}

/** The collection that the sample practices run. */
async function findCollectionId(api: ServiceApi): Promise<string> {
  const [{ name }] = SAMPLE_PRACTICES
  const accounts = await api.list<Account>('/api/accounts')
  const collection = accounts.find((account) => account.name === name)?.collection
  if (collection) return collection.id
  throw new Error(`${name} has no collection in the stored data: ${COMMAND} -- --reset`)
}

/** The only app opens by itself: there is nothing to choose. */
function toCollectionApp({ id, place }: RegisteredApp, isOnly: boolean): CollectionApp {
  const { ehrTypes, autoLaunch } = place.manifest
  return { appId: id, ...(ehrTypes ? { ehrTypes } : {}), autoLaunch: autoLaunch || isOnly }
}
