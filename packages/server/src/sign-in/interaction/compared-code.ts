// A browser in which a user has compared the match codes for its extension. Until the working day is over,
// or the user signs out, the next sign-in there asks for no second comparison: the approval goes to no
// other program. Known by a cookie of its own, whose hash is stored. Contract §3, security V31.

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Statement } from '../../db/sql.ts'
import type { PageCall } from '../../http/call.ts'
import { cookieNameOf } from '../../http/cookie-name.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUserOfFlow } from '../client-flow/sign-in-flow-store.ts'
import type { ClientIntent, ComparedCode } from './interaction.ts'
import { findInteraction, insertInteractionStatement } from './interaction-store.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

const VALUE = /^(stp_[0-9a-z]{1,64})\.([A-Za-z0-9_-]{43})$/

const cookieName = (baseUrl: string) => cookieNameOf(baseUrl, 'chartside-compared')

/** The comparison that counts for this extension; undefined when there is none, or it is over. */
export async function findComparedCode(
  { config, db }: HasConfig & HasDatabase,
  { hostOrigin }: ClientIntent,
  { cookies, now }: Pick<PageCall, 'cookies' | 'now'>,
): Promise<ComparedCode | undefined> {
  const name = `${cookieName(config.baseUrl)}=`
  const sent = cookies.split('; ').filter((cookie) => cookie.startsWith(name))
  const [, id, secret] = (sent.length === 1 && VALUE.exec(sent[0]?.slice(name.length) ?? '')) || []
  if (hostOrigin === undefined || id === undefined || secret === undefined) return undefined
  const key = { id, session: { secret }, kind: 'compared', now } as const
  const data = (await findInteraction(db, key))?.data
  if (data?.hostOrigin !== hostOrigin) return undefined
  return (await findUserOfFlow(db, data.sessionHash)) === data.userId ? data : undefined
}

/** The statement that stores it, and the cookie of the browser. */
export function buildComparedCode(
  { config, randomness }: Parts,
  data: ComparedCode,
  now: number,
): { readonly statement: Statement; readonly setCookie: string } {
  const id = newId('stp', now, randomness)
  const secret = randomness.bytes(32).toString('base64url')
  const seconds = config.sessionLifetimeSeconds - Math.ceil((now - data.comparedAt) / 1000)
  const expiresAt = now + seconds * 1000
  const key = { id, session: { secret }, kind: 'compared', now, expiresAt } as const
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
  return {
    statement: insertInteractionStatement(key, data),
    setCookie: `${cookieName(config.baseUrl)}=${id}.${secret}; ${attributes}`,
  }
}
