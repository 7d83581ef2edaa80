// The options of passkey registration and sign-in, and what is stored of a passkey: discoverable, with
// user verification (so that it is two factors in one), bound to the host of the base URL. Pure; the
// WebAuthn library verifies answers. WebAuthn Level 3.
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { User } from '../kernel/user.ts'

/** The record is stored as JSON in `login_methods.details`; the credential id is the subject. */
export interface StoredPasskey {
  /** The key in COSE, as base64url. */
  readonly publicKey: string
  /** The counter; zero for a synchronised passkey. */
  readonly counter: number
}

/** Browsers give passkeys to host names only, never to IP addresses. */
export const hasPasskeys = (baseUrl: string): boolean =>
  isIP(new URL(baseUrl).hostname.replace(/[[\]]/g, '')) === 0

const rpIdOf = (baseUrl: string) => new URL(baseUrl).hostname
const TIMEOUT_MS = 300_000
/** The algorithms are ES256, RS256 and EdDSA, the most common first. */
const ALGORITHMS = [-7, -257, -8]

export const signInOptions = (baseUrl: string, challenge: string) => ({
  challenge,
  rpId: rpIdOf(baseUrl),
  userVerification: 'required',
  timeout: TIMEOUT_MS,
})

export const newPasskeyOptions = (baseUrl: string, challenge: string, user: User) => ({
  create: true,
  challenge,
  rp: { id: rpIdOf(baseUrl), name: 'Chartside' },
  user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
  timeout: TIMEOUT_MS,
})

/** The user handle that the authenticator stores beside the key; it holds no personal data. */
export const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/** The answer that the script of the page put into the form; undefined for any other text. */
export function parseAnswer<T extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  text: string | undefined,
): T | undefined {
  try {
    const value = JSON.parse(text ?? '')
    const isAnswer =
      typeof value?.id === 'string' && typeof value.response === 'object' && value.response !== null
    // The library checks the rest, member by member.
    return isAnswer ? (value as T) : undefined
  } catch {
    return undefined
  }
}

const expected = (baseUrl: string, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: rpIdOf(baseUrl),
  requireUserVerification: true,
})

/** The passkey to store now; undefined when the assertion is not valid. */
export async function verifySignIn(
  baseUrl: string,
  challenge: string,
  response: AuthenticationResponseJSON,
  { publicKey, counter }: StoredPasskey,
): Promise<StoredPasskey | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const credential = {
    id: response.id,
    publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
    counter,
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      credential,
      ...expected(baseUrl, challenge),
    })
    return verified ? { publicKey, counter: authenticationInfo.newCounter } : undefined
  } catch {
    // The library throws for each failed check; every one of them means: not authenticated.
    return undefined
  }
}

export async function verifyNewPasskey(
  baseUrl: string,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<{ id: string; passkey: StoredPasskey; isSynced: boolean } | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(baseUrl, challenge),
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return {
      id: credential.id,
      passkey: { publicKey, counter: credential.counter },
      isSynced: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}
