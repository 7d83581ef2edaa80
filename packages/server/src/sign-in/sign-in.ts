// A sign-in, and when its last activity is written down. Pure. When it is live is a rule of
// liveness.ts. Contract §3.

export interface SignIn {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** Writing down every call would only cost; what is written is at most this much behind. */
const NOTE_EVERY_MS = 60_000

/** Whether the last note is so old that another matters, measured against a short idle limit too. */
export const shouldRecordActivity = (signIn: SignIn, now: number, idleSeconds: number) =>
  now - signIn.lastSeenAt >= Math.min(NOTE_EVERY_MS, idleSeconds * 100)

/** What a client gets that has signed somebody in. */
export const signedInBody = (
  token: string,
  expiresAt: string,
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
) => ({ token, expiresAt, user: { id, email, name } })
