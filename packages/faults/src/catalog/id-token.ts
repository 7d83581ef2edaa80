// Faults of the ID token: an issuer of the run signs one that the app must refuse, or changes its key.
// Contract §15.
import { fact, opensAgain, plainWords, saysSomething, showsNoUser } from '../checks.ts'
import type { Fault } from '../fault.ts'
import { onExchange, onIdToken } from '../intercepts.ts'

const REFUSED = [showsNoUser, saysSomething, plainWords, opensAgain]

export const ID_TOKEN_FAULTS: readonly Fault[] = [
  {
    ...{ name: 'token-audience', step: 'id_token', by: 'issuer' },
    title: 'An ID token for another app',
    intercept: onIdToken('valid', (claims) => {
      claims.aud = `cli_${'f'.repeat(32)}`
    }),
    checks: REFUSED,
  },
  {
    ...{ name: 'token-expired', step: 'id_token', by: 'issuer' },
    title: 'An ID token that has expired',
    intercept: onIdToken('valid', (claims) => {
      claims.iat = Number(claims.iat) - 7200
      claims.exp = Number(claims.exp) - 7200
    }),
    checks: REFUSED,
  },
  {
    ...{ name: 'token-signature', step: 'id_token', by: 'issuer' },
    title: 'A signature by an unknown key',
    intercept: onIdToken('foreign_key'),
    checks: REFUSED,
  },
  {
    ...{ name: 'token-unsigned', step: 'id_token', by: 'issuer' },
    title: 'An ID token without a signature',
    intercept: onIdToken('alg_none'),
    checks: REFUSED,
  },
  {
    ...{ name: 'token-issuer', step: 'id_token', by: 'issuer' },
    title: 'An ID token of another issuer',
    intercept: onIdToken('valid', (claims) => {
      claims.iss = 'https://other-issuer.example'
    }),
    checks: REFUSED,
  },
  {
    ...{ name: 'token-nonce', step: 'id_token', by: 'issuer' },
    title: 'An ID token of another launch',
    intercept: onIdToken('valid', (claims) => {
      claims.nonce = 'A'.repeat(43)
      claims.launch_id = `lnch_${'A'.repeat(43)}`
    }),
    checks: REFUSED,
  },
  {
    ...{ name: 'key-rotation', step: 'id_token', by: 'issuer' },
    title: 'The signing key changes',
    isAlone: true,
    afterKeysMs: 31_000,
    intercept: onExchange(async (usual, tools) => {
      await tools.rotateKey()
      return usual()
    }),
    checks: [
      fact('ready', 'recovers', {
        title: 'Opens with a token of the new key',
        cause: 'The app keeps the old keys, so each rotation is an outage.',
        fix: 'Fetch the keys again when a token names a kid that is not known.',
      }),
      opensAgain,
    ],
  },
]
