// The certificate that the service itself serves: read and checked at the start, and read again when its files
// change, so that a renewal needs no restart and no connection ends. A bad new pair is logged and changes
// nothing. docs/operate/operations.md.
import { readFile, stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../kernel/randomness.ts'
import { checkCertificate, type ServedCertificate } from './certificate.ts'

export interface CertificateFiles {
  readonly first: ServedCertificate
  /** The expiry of the certificate that is served, in milliseconds since 1970. */
  expiresAt(): number
  /** Gives what the files hold from now on to `use`, when they have changed and are good. */
  refresh(use: (served: ServedCertificate) => void): Promise<void>
}

export class CertificateBad extends Error {
  constructor(problem: string) {
    super(
      `The certificate of CHARTSIDE_TLS_CERT_FILE and the key of CHARTSIDE_TLS_KEY_FILE cannot be used: ${problem}.`,
    )
    this.name = 'CertificateBad'
  }
}

interface Settings {
  readonly tlsCertFile: string
  readonly tlsKeyFile: string
  readonly baseUrl: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** @throws CertificateBad */
export async function openCertificate(
  { tlsCertFile, tlsKeyFile, baseUrl }: Settings,
  clock: Clock,
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>,
): Promise<CertificateFiles> {
  const files = [tlsCertFile, tlsKeyFile]
  const host = new URL(baseUrl).hostname
  let seen = ''
  let current: ServedCertificate
  let warnedAt = 0
  let expiresAt = 0

  function accept(served: ServedCertificate): ServedCertificate {
    const checked = checkCertificate(served, host, clock())
    if ('problem' in checked) throw new CertificateBad(checked.problem)
    for (const warning of checked.warnings) log.warn(warning)
    warnedAt = clock()
    expiresAt = checked.expiresAt
    const until = new Date(expiresAt).toISOString()
    log.info({ names: checked.names, expiresAt: until }, 'TLS certificate read')
    return served
  }

  /** Warns once a day of what is wrong with a certificate that stays. */
  function warnAgain(): void {
    if (clock() - warnedAt < DAY_MS) return
    warnedAt = clock()
    const checked = checkCertificate(current, host, warnedAt)
    if ('problem' in checked) log.error(checked.problem)
    else for (const warning of checked.warnings) log.warn(warning)
  }

  seen = await stateOf(files)
  current = accept(await readBoth(tlsCertFile, tlsKeyFile))
  return {
    first: current,
    expiresAt: () => expiresAt,
    async refresh(use) {
      const state = await stateOf(files)
      if (state === seen) return warnAgain()
      // Each state of the files is tried, and logged, once.
      seen = state
      try {
        const next = accept(await readBoth(tlsCertFile, tlsKeyFile))
        current = next
        use(next)
      } catch (error) {
        log.error({ err: error }, 'the new TLS certificate cannot be used; the previous one stays')
      }
    },
  }
}

const stateOf = async (files: readonly string[]): Promise<string> =>
  (await Promise.all(files.map(stateOfOne))).join(' ')

const stateOfOne = (file: string) =>
  stat(file).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    ({ code }: NodeJS.ErrnoException) => String(code),
  )

async function readBoth(certFile: string, keyFile: string): Promise<ServedCertificate> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
      throw new CertificateBad(`${file} cannot be read (${code}): check path and owner`)
    })
  // One after the other, so that the same one is named where both cannot be read.
  const cert = await read(certFile)
  return { cert, key: await read(keyFile) }
}
