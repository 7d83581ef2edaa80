// Checks a certificate and its key before a listener uses them: each problem as a sentence with what to do.
// Pure; certificate-files.ts reads the files.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** The key and the certificates as the files have them. */
export interface ServedCertificate {
  /** The certificate in PEM, then those that signed it. */
  readonly cert: string
  /** The key in PEM, without a passphrase. */
  readonly key: string
}

export interface CheckedCertificate {
  /** The names that the certificate is for, such as `DNS:connect.example`. */
  readonly names: string
  readonly expiresAt: number
  /** The warnings: the certificate is usable, but not as it should be. */
  readonly warnings: readonly string[]
}

export type CertificateCheck = CheckedCertificate | { readonly problem: string }

const DAY_MS = 24 * 60 * 60 * 1000
const WARN_BEFORE_MS = 14 * DAY_MS

/** @param host of the base URL, which browsers ask for */
export function checkCertificate(
  { cert, key }: ServedCertificate,
  host: string,
  now: number,
): CertificateCheck {
  const certificate = attempt(() => new X509Certificate(cert))
  if (!certificate) return { problem: 'the certificate file holds no certificate in PEM' }
  const privateKey = readKey(key)
  if ('problem' in privateKey) return privateKey
  if (!certificate.checkPrivateKey(privateKey.key)) {
    return {
      problem:
        'the key does not belong to the certificate; the certificate must come first in its file',
    }
  }
  const expiresAt = Date.parse(certificate.validTo)
  const begins = Date.parse(certificate.validFrom)
  if (now >= expiresAt)
    return { problem: `the certificate expired at ${toText(expiresAt)}; renew it` }
  if (now < begins) {
    return { problem: `the certificate is valid from ${toText(begins)} on; is the clock right?` }
  }
  const refused = describeRefusal({ cert, key })
  if (refused) return { problem: `TLS refuses the certificate or its key: ${refused}` }
  const days = Math.floor((expiresAt - now) / DAY_MS)
  const names = certificate.subjectAltName ?? certificate.subject
  const warnings = [
    ...(expiresAt - now < WARN_BEFORE_MS ? [`the TLS certificate expires in ${days} days`] : []),
    ...(certificate.checkHost(host) || certificate.checkIP(host)
      ? []
      : [`the TLS certificate is for ${names}, not for ${host} of CHARTSIDE_BASE_URL`]),
  ]
  return { names, expiresAt, warnings }
}

function readKey(key: string): { readonly key: KeyObject } | { readonly problem: string } {
  const read = attempt(() => createPrivateKey(key))
  if (read) return { key: read }
  return /ENCRYPTED/.test(key)
    ? { problem: 'the key has a passphrase; store it without (openssl pkey -in … -out …)' }
    : { problem: 'the key file holds no private key in PEM' }
}

/** Returns what OpenSSL refuses in a pair that belongs together, such as a key that is too short. */
function describeRefusal(served: ServedCertificate): string | undefined {
  try {
    createSecureContext(served)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const toText = (time: number) => new Date(time).toISOString()

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
