// Mails through an SMTP server with nodemailer: one pooled connection, bounded times, TLS required
// except on loopback. RFC 5321, RFC 3207 (STARTTLS).

import { isLoopbackHost } from '@chartside/protocol/oauth'
import { createTransport } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { type Mailer, MailFailed } from './mail.ts'

export type MailSettings = Pick<Config, 'mailFrom' | 'smtpUrl'>

const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 20_000

export function smtpMailer({ smtpUrl, mailFrom }: MailSettings): Mailer {
  const { hostname } = new URL(smtpUrl)
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    requireTLS: !isLoopbackHost(hostname),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ from: mailFrom, to, subject, text })
      } catch (error) {
        const { responseCode, code, message } = error as NodeJS.ErrnoException & {
          readonly responseCode?: number
        }
        const cause = [responseCode ?? code, message.split('\n', 1)[0]?.slice(0, 200)]
        throw new MailFailed(`The mail server ${hostname}: ${cause.join(' ')}`, error)
      }
    },
    close: () => transport.close(),
  }
}
