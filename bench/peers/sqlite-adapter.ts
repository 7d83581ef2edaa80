// The storage of oidc-provider on node:sqlite, as its example adapters do it: a row with JSON for each
// model, every write synced to the disk before it is answered.
import { DatabaseSync } from 'node:sqlite'
import type { Adapter, AdapterConstructor, AdapterPayload } from 'oidc-provider'

export function sqliteAdapter(file: string): AdapterConstructor {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE models (model TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT, user_code TEXT,
      expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id));
    CREATE INDEX models_grant ON models (grant_id);
    CREATE INDEX models_uid ON models (uid)`)
  const upsert = database.prepare(`INSERT INTO models
    (model, id, payload, grant_id, uid, user_code, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload,
      grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`)
  const select = 'SELECT payload, consumed_at FROM models WHERE model = ? AND'
  const byId = database.prepare(`${select} id = ? AND (expires_at IS NULL OR expires_at > ?)`)
  const byUid = database.prepare(`${select} uid = ?`)
  const byUserCode = database.prepare(`${select} user_code = ?`)
  const consume = database.prepare('UPDATE models SET consumed_at = ? WHERE model = ? AND id = ?')
  const destroy = database.prepare('DELETE FROM models WHERE model = ? AND id = ?')
  const revoke = database.prepare('DELETE FROM models WHERE grant_id = ?')
  const seconds = () => Math.floor(Date.now() / 1000)

  function payloadOf(row: Record<string, unknown> | undefined): AdapterPayload | undefined {
    if (!row) return undefined
    const payload = JSON.parse(String(row.payload)) as AdapterPayload
    return row.consumed_at === null ? payload : { ...payload, consumed: true }
  }

  return class implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number | undefined) {
      const { grantId = null, uid = null, userCode = null } = payload
      const expiresAt = expiresIn ? seconds() + expiresIn : null
      upsert.run(this.#model, id, JSON.stringify(payload), grantId, uid, userCode, expiresAt)
    }

    async find(id: string) {
      return payloadOf(byId.get(this.#model, id, seconds()))
    }

    async findByUid(uid: string) {
      return payloadOf(byUid.get(this.#model, uid))
    }

    async findByUserCode(userCode: string) {
      return payloadOf(byUserCode.get(this.#model, userCode))
    }

    async consume(id: string) {
      consume.run(seconds(), this.#model, id)
    }

    async destroy(id: string) {
      destroy.run(this.#model, id)
    }

    async revokeByGrantId(grantId: string) {
      revoke.run(grantId)
    }
  }
}
