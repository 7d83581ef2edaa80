// What the rest of the service knows of mail: a mailer that sends one message at a time. A failure names
// its cause, never the credentials of the mail server.
export interface Mail {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  /** The text is plain. */
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
