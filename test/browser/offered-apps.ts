// Which apps of a sandbox open beside a chart: a test that is about one app does not launch the others.
// By the public API, as an administrator does it: a new version of the sample collection.
import assert from 'node:assert/strict'
import type { Sandbox } from '@chartside/example-sandbox'
import type { App, CollectionContent } from '@chartside/protocol/payloads'
import { publishContent } from '../../examples/sandbox/src/collection.ts'
import { ServiceApi } from '../../examples/sandbox/src/service-api.ts'

/** An app of the collection, and its name. */
type Named = readonly [name: string, app: CollectionContent['apps'][number]]

export class OfferedApps {
  readonly #sandbox: Sandbox
  #api: ServiceApi | undefined
  /** What the sandbox published. */
  #all: readonly Named[] = []
  #now = ''

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Beside the charts that are opened from now on; none named: every app of the sandbox. */
  async offer(names: readonly string[]): Promise<void> {
    const wanted = names.join()
    if (wanted === this.#now) return
    const api =
      this.#api ??
      (await ServiceApi.signIn(this.#sandbox.places.service.url, this.#sandbox.administrator))
    this.#api = api
    const apps = this.#all.length === 0 ? await api.list<App>('/api/apps') : []
    await publishContent(api, `With ${wanted || 'every app'}`, (draft) => {
      if (this.#all.length === 0) {
        this.#all = draft.apps.map((app) => [
          apps.find(({ id }) => id === app.appId)?.name ?? '',
          app,
        ])
      }
      const kept = this.#all.filter(([name]) => names.length === 0 || names.includes(name))
      assert.equal(kept.length, names.length || this.#all.length, wanted)
      return { ehrs: draft.ehrs, apps: kept.map(([, app]) => app) }
    })
    this.#now = wanted
  }
}
