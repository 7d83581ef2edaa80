// The text of an invitation. Names were written by others: they are one line each, without control
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

export function buildInvitationMail(invitation: InvitationMail): Mail {
  const { email, url, expiresAt } = invitation
  const name = oneLine(invitation.name)
  const practice = oneLine(invitation.accountName)
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')
  return {
    to: { name, address: email },
    subject: `${practice} invites you to Chartside`,
    text: `Hello ${name},

${practice} uses Chartside to open apps beside the patient chart, and has invited you to join.

Set a password or a passkey here, and sign in:
${url}

The link is for you alone. It works once, until ${until} UTC.
If you did not expect this mail, ignore it: nothing happens without the link.
`,
  }
}
