// What the rest of the service knows of mail: whether it is configured, and a mailer that sends one
// message at a time. A failure names its cause, never the credentials of the mail server.
import type { Config } from '../config/config.ts'

export interface Mail {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface Mailer {
  /** @throws MailFailed */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail server did not take the mail; `message` says why, for operators. */
export class MailFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MailFailed'
  }
}

export type MailSettings = Pick<Config, 'mailFrom' | 'smtpUrl'>

export async function loadMailer(settings: MailSettings): Promise<Mailer | undefined> {
  return settings.smtpUrl ? (await import('./smtp.ts')).smtpMailer(settings) : undefined
}
