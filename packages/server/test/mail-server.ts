// A real SMTP server on loopback that keeps what it is given, for tests of mails. It refuses on
// demand.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  /** Headers and text, as they arrived. */
  readonly raw: string
}

export async function startMailServer() {
  const mails: ReceivedMail[] = []
  let refusal: string | undefined
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo: (_address, _session, done) => {
      const error = refusal === undefined ? null : Object.assign(new Error(refusal), REFUSED)
      done(error)
    },
    async onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      mails.push({ to, raw: await text(stream) })
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  return {
    environment: {
      CHARTSIDE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      CHARTSIDE_MAIL_FROM: 'Chartside <apps@chartside.test>',
    },
    mails,
    refuse: (message: string | undefined) => {
      refusal = message
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const REFUSED = { responseCode: 550 }

/** The link of an invitation, out of quoted-printable. */
export function linkIn({ raw }: ReceivedMail): string {
  const whole = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const [link = ''] = /https?:\/\/\S*invitation\?token=\S+/.exec(whole) ?? []
  return link
}
