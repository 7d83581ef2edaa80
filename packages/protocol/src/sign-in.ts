// Sign-in of a client without cookies (extension, command line): the values that it makes, the
// address that it opens, and the match code that client and page show, so that users approve only
// their own sign-in. Pure text; the caller hashes. Contract §3, RFC 7636 4.2.
import { buildUrlWithQuery } from './oauth.ts'

export type { SignedIn, SignInConfig } from './payloads.ts'

/** The client's own name of this sign-in: 128 random bits at least. */
export const SESSION_ID = /^[A-Za-z0-9_-]{22,128}$/
/** The format of a verifier (RFC 7636 4.1). The client keeps it secret until it polls for the token with it. */
export const VERIFIER = /^[A-Za-z0-9_.~-]{43,128}$/
/** The format of a challenge: the SHA-256 of the verifier in base64url. */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * The address to open in a tab. `signInUrl` is from `GET /auth/config`. A browser extension names its
 * origin: the approval then comes back to {@link APPROVAL_PAGE} of it, in the same tab. The page shows the providers of
 * the account that is named, if it has any, before every other way.
 */
export const buildSignInUrl = (
  signInUrl: string,
  sessionId: string,
  challenge: string,
  hostOrigin?: string,
  accountId?: string,
): string =>
  buildUrlWithQuery(signInUrl, {
    session_id: sessionId,
    challenge,
    ...(hostOrigin === undefined ? {} : { host_origin: hostOrigin }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
  })

/** The fragment of its address is the proof of the approval. */
export const APPROVAL_PAGE = '/signed-in.html'

/** The bearer of a poll. The proof stands behind a sign that no verifier has. */
export const buildPollBearer = (verifier: string, proof: string | null): string =>
  proof === null ? verifier : `${verifier}/${proof}`

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The alphabet lacks 0, 1, I and O, which look alike. */
const MATCH_CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * Builds the code that page and client show, such as `K7QM-29XD`. It has five bits of each of the first eight
 * characters of the challenge, 40 in all.
 */
export function buildMatchCode(challenge: string): string {
  const code = [...challenge.slice(0, 8)].map((character) =>
    MATCH_CODE_ALPHABET.charAt(BASE64URL.indexOf(character) & 31),
  )
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`
}
