// What the sign-in page says after a refused password, between the form that was sent and the page that the
// browser is sent to: the typed address stays at the service for this browser, never in a URL. Over
// the limit nothing is stored, so that a flood costs no write. Security P09, U07.

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findInteraction, insertInteractionStatement } from '../interaction/interaction-store.ts'
import type { PreAuthSession } from '../interaction/pre-auth-session.ts'
import type { LoadedIntent } from '../interaction/sign-in-intent.ts'
import type { RefusedSignIn } from './sign-in-page.ts'

const pageOf = (baseUrl: string, loaded: LoadedIntent, more: Readonly<Record<string, string>>) => {
  const path = loaded.invitation ? '/auth/invitation' : '/auth/sign-in'
  return goTo(`${baseUrl}${path}?${new URLSearchParams({ ...loaded.fields, ...more }).toString()}`)
}

/** Redirects to the sign-in page again, which says that the password was wrong. */
export async function redirectAfterWrongPassword(
  { config, db, randomness }: HasConfig & HasDatabase & HasRandomness,
  session: PreAuthSession,
  loaded: LoadedIntent,
  { fields, now }: PageCall,
): Promise<Reply> {
  const id = newId('stp', now, randomness)
  const email = (fields.email ?? '').slice(0, MAX_EMAIL)
  await db.write(insertInteractionStatement({ id, session, kind: 'refused', now }, { email }))
  return pageOf(config.baseUrl, loaded, { refused: id })
}

const MAX_EMAIL = 254
/** The wait is longer than every limit. */
const MAX_WAIT_MS = 24 * 60 * 60_000

/** Redirects to the sign-in page again, which says until when it takes no password. */
export const redirectUntil = (baseUrl: string, loaded: LoadedIntent, waitUntil: number): Reply =>
  pageOf(baseUrl, loaded, { wait_until: String(waitUntil) })

/** Finds the refusal that the page of this GET shows. */
export async function findRefusal(
  { db }: HasDatabase,
  session: PreAuthSession,
  { fields, now }: Pick<PageCall, 'fields' | 'now'>,
): Promise<RefusedSignIn | undefined> {
  const waitUntil = parseWait(fields.wait_until, now)
  if (waitUntil !== undefined) return { waitUntil }
  if (fields.refused === undefined) return undefined
  const found = await findInteraction(db, { id: fields.refused, session, kind: 'refused', now })
  return found?.data
}

/** A time in the past says nothing any more, and one far ahead was not written here. */
export function parseWait(text: string | undefined, now: number): number | undefined {
  const at = /^\d{13,14}$/.test(text ?? '') ? Number(text) : 0
  return at > now && at < now + MAX_WAIT_MS ? at : undefined
}
