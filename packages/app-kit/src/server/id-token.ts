// Verifies the ID token of one launch and returns its identity. One algorithm is pinned, RS256 unless the
// app is registered with ES256: the token's own `alg` and keys can only be a reason to refuse it.
// Never stores or logs a token. Spec §5.4; RFC 8725 §3.1, §3.10; security R01-R04, R10, R11.
import { hasRepeatedName } from '@chartside/protocol/json-names'
import { base64url, compactVerify } from 'jose'
import { IdTokenError } from './errors.ts'
import type { KeySet, VerificationKey } from './key-set.ts'
import { type LaunchIdentity, parseLaunchIdentity } from './launch-identity.ts'
import { isRecord } from './read-text.ts'
import type { ReplayStore } from './replay-store.ts'
import type { SignedResponseAlg } from './require-option.ts'
import { hash } from './session-credentials.ts'

export interface IdTokenExpectations {
  /** The nonce of the authorize request, when one was sent. */
  readonly nonce?: string
  /**
   * The `nonceProof` of `readCallback` that the page sent: the nonce must be its hash. A token is
   * refused when the page sent none, so pass it on unchecked.
   */
  readonly nonceProof?: unknown
  /** The launch of the page. */
  readonly launchId?: string
}

export interface VerifierSettings {
  readonly issuer: string
  readonly clientId: string
  readonly toleranceSeconds: number
  readonly keys: KeySet
  readonly replays: ReplayStore | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** @throws IdTokenError */
export async function verify(
  presented: unknown,
  expected: IdTokenExpectations,
  settings: VerifierSettings,
): Promise<LaunchIdentity> {
  const claims = await readSigned(presented, ID_TOKEN, settings.keys)
  const identity = parseLaunchIdentity(claims, {
    launchId: expected.launchId,
    nonce: await readNonce(expected),
    issuer: settings.issuer,
    clientId: settings.clientId,
    toleranceSeconds: settings.toleranceSeconds,
    now: settings.now(),
  })
  // Last, so that only a genuine token is recorded.
  const untilSeconds = identity.expiresAt / 1000 + settings.toleranceSeconds
  if (settings.replays && !(await settings.replays.accept(identity.jti, untilSeconds))) {
    throw new IdTokenError('token_replayed', 'This ID token was accepted before.')
  }
  return identity
}

/** An access token in JWT form (RFC 9068) has at+jwt, a logout token logout+jwt: neither is an ID token. */
const ID_TOKEN = /^JWT$/i

/**
 * The claims of a token that the service signed with the pinned algorithm, of a type that the caller takes.
 * @throws IdTokenError
 */
export async function readSigned(
  presented: unknown,
  type: RegExp,
  { alg, findKey }: KeySet,
): Promise<Record<string, unknown>> {
  const token = requireToken(presented)
  const [headerPart = '', payloadPart = ''] = token.split('.')
  const { kid } = parseHeader(parseJson(headerPart), type, alg)
  const claims = parseJson(payloadPart)
  await verifySignature(token, alg, await findKey(kid))
  return claims
}

async function readNonce(expected: IdTokenExpectations): Promise<string | undefined> {
  if (!('nonceProof' in expected)) return expected.nonce
  const { nonceProof } = expected
  if (typeof nonceProof === 'string' && nonceProof !== '') return hash(nonceProof)
  throw new IdTokenError('nonce_mismatch', 'The page sent no proof that it began this launch.')
}

const MAX_LENGTH = 16_384

/** The form has three parts in base64url, without white space (RFC 7515 7.1). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/

function requireToken(presented: unknown): string {
  if (presented === '' || presented === undefined) {
    throw malformed('there is none; ask for the scopes "launch openid"')
  }
  if (typeof presented !== 'string' || presented.length > MAX_LENGTH || !TOKEN.test(presented)) {
    throw malformed('it does not have three parts in base64url, or is far too long')
  }
  return presented
}

function parseJson(part: string): Record<string, unknown> {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(part))
    value = JSON.parse(text)
  } catch {
    // Without the parser's own error, which quotes its input.
    throw malformed('a part is not JSON in base64url')
  }
  if (!isRecord(value)) throw malformed('a part is not a JSON object')
  if (hasRepeatedName(text)) {
    throw new IdTokenError('duplicate_keys', 'The token repeats the name of a member.')
  }
  return value
}

/** Members that would bring a key or rules of the token's own. */
const REFUSED = ['jwk', 'jku', 'x5u', 'x5c', 'crit']

function parseHeader(
  header: Record<string, unknown>,
  type: RegExp,
  pinned: SignedResponseAlg,
): { readonly kid: string | undefined } {
  const { alg, typ, kid } = header
  if (alg !== pinned) {
    throw new IdTokenError('algorithm_refused', `The token is not signed with ${pinned}.`)
  }
  const refused = REFUSED.find((name) => name in header)
  if (refused) throw new IdTokenError('header_refused', `The header holds "${refused}".`)
  if (typ !== undefined && !(typeof typ === 'string' && type.test(typ))) {
    throw new IdTokenError('header_refused', 'The header says that this is another type of token.')
  }
  if (kid !== undefined && typeof kid !== 'string') {
    throw new IdTokenError('header_refused', 'The key id in the header is not text.')
  }
  return { kid }
}

async function verifySignature(
  idToken: string,
  alg: SignedResponseAlg,
  key: VerificationKey,
): Promise<void> {
  try {
    await compactVerify(idToken, key, { algorithms: [alg] })
  } catch (cause) {
    throw new IdTokenError('signature_invalid', 'The signature is not of the key it names.', {
      cause,
    })
  }
}

const malformed = (why: string) =>
  new IdTokenError('token_malformed', `This is not an ID token: ${why}.`)
