// The identity of a session in the tests, as the app kit returns it after a verified launch. Person
// and practice are invented.

interface SampleIdentity {
  readonly userId: string
  readonly name: string | null
  readonly email: string | null
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
  readonly sessionId: string
  readonly deviceId: string
  readonly launchId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly jti: string
}

export const sampleIdentity: SampleIdentity = {
  userId: 'usr_0001',
  name: 'Dr. Amara Okafor',
  email: null,
  account: { id: 'acc_0001', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_0001',
  deviceId: 'dev_0001',
  launchId: 'lnch_0001',
  expiresAt: 0,
  jti: 'jti_0001',
}
