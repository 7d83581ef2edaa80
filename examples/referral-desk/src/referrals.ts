// The referrals that the page lists. Plain data; nothing is sent. All names are invented.
// The same list for every practice.

export interface Referral {
  readonly patient: string
  readonly to: string
  readonly state: 'Sent' | 'Accepted' | 'Booked'
}

export const REFERRALS: readonly Referral[] = [
  { patient: 'Marigold Testerly', to: 'Dr. Pretendova, cardiology', state: 'Booked' },
  { patient: 'Rowan Sampleton', to: 'Imaginary Eye Clinic', state: 'Accepted' },
  { patient: 'Basil Mockford', to: 'Make-believe Physiotherapy', state: 'Sent' },
]
