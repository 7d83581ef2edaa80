// The calls about the keys that sign ID tokens, for administrators of the platform: list, rotate, withdraw. A change
// takes a recent sign-in.
import type { ListedSigningKey, NextSigner, SigningKeys } from '@chartside/protocol/payloads'
import { api, type CallOptions } from './client.ts'

export type Algorithm = ListedSigningKey['alg']

export const listSigningKeys = (options?: CallOptions) =>
  api.get<SigningKeys>('/api/signing-keys', options)

/**
 * Rotates the keys, not before `afterSeconds`; without it after the time in which every verifier reads the key set.
 */
export const rotateKeys = (alg: Algorithm, afterSeconds?: number) =>
  api.post<NextSigner>('/api/signing-keys/rotate', {
    alg,
    ...(afterSeconds === undefined ? {} : { afterSeconds }),
  })

export const revokeKey = (kid: string) => api.post<NextSigner>('/api/signing-keys/revoke', { kid })
