// The identity of a session in the tests, as the app kit returns it after a verified launch. Person
// and practice are invented.
import type { LaunchIdentity } from '@chartside/app-kit/server'

export const sampleIdentity: LaunchIdentity = {
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
