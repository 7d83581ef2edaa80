// The management API of the provider, in Auth0's format: GET /api/v2/users/{id} →
// identities[].access_token. For servers with the management token only.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { createAuth } from './auth.ts'

type Auth = ReturnType<typeof createAuth>

export function createManagementApi(auth: Auth, managementToken: string) {
  return async ({ headers }: Request, userId: string): Promise<Response> => {
    const authorization = headers.get('authorization') ?? ''
    if (!isSame(authorization, `Bearer ${managementToken}`)) return refuse(401)
    const { internalAdapter } = await auth.$context
    const user = await internalAdapter.findUserById(userId)
    if (!user) return refuse(404)
    const accounts = await internalAdapter.findAccounts(user.id)
    const identities = accounts.map(({ providerId, accountId, accessToken }) => ({
      connection: providerId,
      user_id: accountId,
      access_token: accessToken,
    }))
    return Response.json({ user_id: user.id, identities })
  }
}

export const refuse = (status: 401 | 404): Response =>
  Response.json({ error: status === 401 ? 'unauthorized' : 'not_found' }, { status })

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
