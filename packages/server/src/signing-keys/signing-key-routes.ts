// The routes of signing keys: who may call each, its schemas and its handler. routes.ts puts them into the table.
// A change takes a recent sign-in.
import { personRoute } from '../route-builders.ts'
import { NEXT_SIGNER, REVOCATION_BODY, ROTATION_BODY, SIGNING_KEYS } from './signing-key-schema.ts'
import { listKeys, revokeKey, rotateKeys } from './signing-keys-http.ts'

export const SIGNING_KEY_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/signing-keys',
    operation: 'listSigningKeys',
    summary: 'List the keys that sign ID tokens, with their states; never a private key.',
    permission: 'platform',
    resource: 'account',
    answers: { 200: SIGNING_KEYS },
    handle: listKeys,
  }),
  personRoute({
    method: 'POST',
    path: '/api/signing-keys/rotate',
    operation: 'rotateKeys',
    summary: 'Let the next key of an algorithm sign, once every verifier can have it.',
    permission: 'platform',
    resource: 'account',
    recentAuth: 'always',
    // To make a key takes a tenth of a second of the processor.
    admission: 'throttled',
    body: ROTATION_BODY,
    answers: { 200: NEXT_SIGNER },
    errors: ['conflict', 'rate_limited'],
    handle: rotateKeys,
  }),
  personRoute({
    method: 'POST',
    path: '/api/signing-keys/revoke',
    operation: 'revokeKey',
    summary: 'Take a leaked key out of use at once; the next one signs.',
    permission: 'platform',
    resource: 'account',
    recentAuth: 'always',
    admission: 'throttled',
    body: REVOCATION_BODY,
    answers: { 200: NEXT_SIGNER },
    errors: ['conflict', 'rate_limited'],
    handle: revokeKey,
  }),
]
