// What the dialog says before a secret is retired: when it was used last, and whether another secret works. Pure; the
// caller gives the secrets of the app, the time, and how a moment is written.
import type { ClientSecret } from '@chartside/protocol/payloads'

export const nameOfSecret = ({ label, id }: ClientSecret) => label ?? id

export interface RetireWarning {
  readonly used: string
  readonly others: string
  /** Exchanges are likely to fail after it. */
  readonly isRisky: boolean
}

export function describeRetire(
  secret: ClientSecret,
  secrets: readonly ClientSecret[],
  now: number,
  formatTime: (at: number) => string,
): RetireWarning {
  const isLive = ({ expiresAt, retiresAt }: ClientSecret) =>
    [expiresAt, retiresAt].every((end) => end === null || Date.parse(end) > now)
  const others = secrets.filter((one) => one.id !== secret.id && isLive(one))
  const isInUse = secret.lastUsedAt !== null && isLive(secret)
  const used =
    secret.lastUsedAt === null
      ? 'It was never used.'
      : `It was used last at ${formatTime(Date.parse(secret.lastUsedAt))}.`
  const [other] = others.toSorted((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''))
  if (!other) {
    return { used, others: 'No other secret of the app works.', isRisky: isLive(secret) }
  }
  const name = nameOfSecret(other)
  return other.lastUsedAt === null
    ? {
        used,
        others: `“${name}” works too, but it was never used: your server does not send it.`,
        isRisky: isInUse,
      }
    : {
        used,
        others: `“${name}” works too. It was used last at ${formatTime(Date.parse(other.lastUsedAt))}.`,
        isRisky: false,
      }
}
