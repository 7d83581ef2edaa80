// TLS of the listener itself: the options of the server, and a new certificate without a new listener. A
// connection keeps what it began with; the next one gets the new certificate.
import type { Server as PlainServer } from 'node:http'
import { Server as TlsServer } from 'node:https'
import type { ServedCertificate } from '../../http/tls/certificate.ts'
import type { CertificateFiles } from '../../http/tls/certificate-files.ts'

/** A client that vanishes in its handshake holds a descriptor for so long. Security V25. */
const HANDSHAKE_WITHIN_MS = 10_000

export const tlsOptions = (served: ServedCertificate) =>
  ({ ...served, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_WITHIN_MS }) as const

/** The files are looked at so often: a renewal is served within seconds. */
const LOOK_EVERY_MS = 5_000

export interface CertificateWatch {
  refresh(): Promise<void>
  stop(): void
}

export function watchCertificate(
  server: PlainServer,
  files: CertificateFiles | undefined,
): CertificateWatch {
  if (!files || !(server instanceof TlsServer)) return { refresh: async () => {}, stop() {} }
  const refresh = () => files.refresh((served) => server.setSecureContext(tlsOptions(served)))
  const looking = setInterval(() => void refresh(), LOOK_EVERY_MS).unref()
  return { refresh, stop: () => clearInterval(looking) }
}
