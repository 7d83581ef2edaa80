// Says who is behind an ID token after checking it: RS256 pinned, issuer, audience, expiry, and each
// token once. The worker's backend trusts nothing else that its page tells it. Spec §5.4.
import { createRemoteJWKSet, jwtVerify } from 'jose'

export interface Presence {
  readonly launchId: string
  readonly provider: string
  readonly practice: string
  readonly ehrType: string
}

export interface Issuer {
  readonly issuer: string
  readonly jwksUri: string
}

export function createIdentityCheck(
  { issuer, jwksUri }: Issuer,
  clientId: string,
): (idToken: string) => Promise<Presence> {
  const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: 5_000 })
  const seen = new Map<string, number>()
  return async (idToken) => {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms: ['RS256'],
      issuer,
      audience: clientId,
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'launch_id'],
      clockTolerance: 30,
    })
    const { jti = '', exp = 0, sub = '' } = payload
    const now = Date.now() / 1000
    for (const [known, until] of seen) if (until < now) seen.delete(known)
    if (seen.has(jti)) throw new Error('this ID token was presented before')
    seen.set(jti, exp + 30)
    const account = payload.account as { name?: unknown } | undefined
    return {
      launchId: String(payload.launch_id),
      provider: typeof payload.name === 'string' ? payload.name : sub,
      practice: typeof account?.name === 'string' ? account.name : 'unknown practice',
      ehrType: typeof payload.ehr_type === 'string' ? payload.ehr_type : 'unknown EHR',
    }
  }
}
