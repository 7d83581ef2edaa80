// Whether mail is configured; the library is loaded with the first mailer.
// The settings are CHARTSIDE_SMTP_URL and CHARTSIDE_MAIL_FROM.
import type { Mailer } from './mail.ts'
import type { MailSettings } from './smtp.ts'

export async function loadMailer(settings: MailSettings): Promise<Mailer | undefined> {
  return settings.smtpUrl ? (await import('./smtp.ts')).smtpMailer(settings) : undefined
}
