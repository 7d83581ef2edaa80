// The handlers of the client secrets of an app: make, list, retire. A secret is in the response that
// makes it, and nowhere else; only its hash is stored. Contract §4 (Secrets), security K01, K02.

import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { parseFuture } from '../http/input/future-time.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { notFound } from '../kernel/errors.ts'
import { hashBearer, mintBearer, newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_LIVE_SECRETS } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { loadApp } from './app-access.ts'
import type { HasApps } from './app-directory.ts'
import type { ClientSecret } from './client-secret.ts'
import type {
  NEW_SECRET,
  SECRET,
  SECRET_BODY,
  SECRET_PATCH,
  SECRETS,
} from './client-secret-schema.ts'
import {
  insertClientSecret,
  listClientSecrets,
  retireClientSecret,
  updateRetirement,
} from './client-secret-store.ts'

const secretBody = ({ id, label, createdAt, expiresAt, retiresAt, lastUsedAt }: ClientSecret) => ({
  id,
  label: label ?? null,
  createdAt: rfc3339(createdAt),
  expiresAt: expiresAt === undefined ? null : rfc3339(expiresAt),
  retiresAt: retiresAt === undefined ? null : rfc3339(retiresAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function createSecret(
  service: HasApps & HasDatabase & HasRandomness,
  call: PersonCall<'id', typeof SECRET_BODY>,
): Promise<Answer<201, typeof NEW_SECRET>> {
  const app = await loadApp(service, call)
  const expiresAt = parseFuture('expiresAt', call.body.expiresAt, call.now)
  const id = newId('sec', call.now, service.randomness)
  const secret = mintBearer('cs', id, service.randomness)
  const stored: ClientSecret = {
    id,
    appId: app.id,
    secretHash: hashBearer(secret),
    label: call.body.label,
    createdAt: call.now,
    expiresAt,
    retiresAt: undefined,
    lastUsedAt: undefined,
  }
  if (!(await insertClientSecret(service.db, stored))) {
    throw limitReached('app', 'live secrets', MAX_LIVE_SECRETS)
  }
  service.apps.forget()
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { ...secretBody(stored), secret },
  }
}

export async function listSecretsOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof SECRETS>> {
  const app = await loadApp(service, call)
  const page = parsePage(call.query, { of: ['sec'] })
  // An app has few secrets: the statement reads all of them, and the page is cut here.
  const secrets = await listClientSecrets(service.db, app.id)
  return { status: 200, body: pageOf(secrets, page, secretBody) }
}

export async function retireSecret(
  service: HasApps & HasDatabase,
  call: PersonCall<'id' | 'secretId'>,
): Promise<Answer<204>> {
  const app = await loadApp(service, call)
  const id = call.params.secretId ?? ''
  const isRetired = await retireClientSecret(service.db, app.id, id, call.now)
  service.apps.forget()
  if (!isRetired) throw notFound('secret')
  return { status: 204 }
}

/** Retires a secret at a time, so that what still sends it is seen before; `null` takes that back. */
export async function scheduleRetirement(
  service: HasApps & HasDatabase,
  call: PersonCall<'id' | 'secretId', typeof SECRET_PATCH>,
): Promise<Answer<200, typeof SECRET>> {
  const app = await loadApp(service, call)
  const retiresAt = parseFuture('retiresAt', call.body.retiresAt, call.now)
  const named = { appId: app.id, id: call.params.secretId ?? '' }
  const secret = await updateRetirement(service.db, named, retiresAt, call.now)
  service.apps.forget()
  if (!secret) throw notFound('secret')
  return { status: 200, body: secretBody(secret) }
}
