// The random values of a sign-in: its name, the verifier that only this client has, and the match code
// that both show. Contract §3.
import { buildMatchCode } from '@chartside/protocol/sign-in'
import { challengeOf, toBase64Url } from '../service.ts'
import { SIGN_IN_LIFETIME_MS } from '../sign-in-polling.ts'
import type { PreparedSignIn } from '../state.ts'

export async function prepareSignIn(): Promise<PreparedSignIn> {
  const verifier = randomText(32)
  return {
    sessionId: randomText(24),
    verifier,
    matchCode: buildMatchCode(await challengeOf(verifier)),
    hostOrigin: new URL(chrome.runtime.getURL('')).origin,
    expiresAt: Date.now() + SIGN_IN_LIFETIME_MS,
  }
}

/** Makes the key for the references of charts in one EHR session. */
export const newChartKey = (): string => randomText(32)

const randomText = (bytes: number): string =>
  toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))
