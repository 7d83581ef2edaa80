// The text of each mail. Names were written by others: they are one line each, without control
// characters. Pure.
import { toTerminalLine } from '../kernel/terminal-text.ts'
import type { Mail } from './mail.ts'

export interface InvitationMail {
  readonly email: string
  readonly name: string
  readonly accountName: string
  readonly url: string
  readonly expiresAt: number
}

const oneLine = (text: string) => toTerminalLine(text).replace(/\s+/g, ' ').trim()

const toMinute = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

export function buildInvitationMail(invitation: InvitationMail): Mail {
  const { email, url, expiresAt } = invitation
  const name = oneLine(invitation.name)
  const practice = oneLine(invitation.accountName)
  return {
    to: { name, address: email },
    subject: `${practice} invites you to Chartside`,
    text: `Hello ${name},

${practice} uses Chartside to open apps beside the patient chart, and has invited you to join.

Set a password or a passkey here, and sign in:
${url}

The link is for you alone. It works once, until ${toMinute(expiresAt)} UTC.
If you did not expect this mail, ignore it: nothing happens without the link.
`,
  }
}

interface Addressee {
  readonly email: string
  readonly name: string
}

/** The link of an administrator, to them alone. Security V22. */
export function buildResetMail(to: Addressee, url: string, expiresAt: number): Mail {
  const name = oneLine(to.name)
  return {
    to: { name, address: to.email },
    subject: 'Set a new way to sign in to Chartside',
    text: `Hello ${name},

An administrator has reset how you sign in to Chartside. Set a new password or passkey here:
${url}

The link is for you alone. It works once, until ${toMinute(expiresAt)} UTC. Until then what you have works.
If you did not ask for this, do not use the link, and ask your administrators who did.
`,
  }
}

/** Builds the notice to each other administrator. */
export function buildResetNotice(to: Addressee, about: Addressee, by: Addressee): Mail {
  const name = oneLine(to.name)
  const [whom, who] = [about, by].map((one) => `${oneLine(one.name)} (${one.email})`)
  return {
    to: { name, address: to.email },
    subject: `A reset was issued for ${oneLine(about.name)}`,
    text: `Hello ${name},

${who} has issued a reset for ${whom}, who is an administrator. The link went to ${about.email} only.
If this is not expected, end the sign-ins of both and look at the audit trail.
`,
  }
}
