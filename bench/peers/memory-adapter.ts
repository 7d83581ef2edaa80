// The storage of oidc-provider in memory, without a bound: the one that the package brings keeps a thousand
// rows and forgets grants under load. Expired rows go when they are read.
import type { Adapter, AdapterConstructor, AdapterPayload } from 'oidc-provider'

interface Row {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

export function memoryAdapter(): AdapterConstructor {
  const rows = new Map<string, Row>()
  const idsOfGrant = new Map<string, string[]>()
  const idOfUid = new Map<string, string>()

  return class implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number | undefined) {
      const key = `${this.#model}:${id}`
      const expiresAt = expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY
      rows.set(key, { payload, expiresAt })
      if (payload.uid) idOfUid.set(payload.uid, id)
      if (payload.grantId && this.#model !== 'Grant') {
        const known = idsOfGrant.get(payload.grantId)
        if (known) known.push(key)
        else idsOfGrant.set(payload.grantId, [key])
      }
    }

    async find(id: string) {
      const found = rows.get(`${this.#model}:${id}`)
      if (!found || found.expiresAt > Date.now()) return found?.payload
      rows.delete(`${this.#model}:${id}`)
      return undefined
    }

    async findByUid(uid: string) {
      return this.find(idOfUid.get(uid) ?? '')
    }

    async findByUserCode() {
      return undefined
    }

    async consume(id: string) {
      const found = rows.get(`${this.#model}:${id}`)
      if (found) found.payload.consumed = Math.floor(Date.now() / 1000)
    }

    async destroy(id: string) {
      rows.delete(`${this.#model}:${id}`)
    }

    async revokeByGrantId(grantId: string) {
      for (const key of idsOfGrant.get(grantId) ?? []) rows.delete(key)
      idsOfGrant.delete(grantId)
    }
  }
}
