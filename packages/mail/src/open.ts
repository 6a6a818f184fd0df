import { fileURLToPath } from 'node:url'
import type { Logger } from '@svc/boot'
import { fileMail } from './file.ts'
import { smtpMail, type SmtpOptions } from './smtp.ts'
import type { MailTransport } from './transport.ts'

export interface MailSettings {
  readonly SVC_MAIL_URL?: string | undefined
  readonly SVC_MAIL_FROM: string
}

export function openMail(
  { SVC_MAIL_URL: url, SVC_MAIL_FROM: from }: MailSettings,
  log: Logger,
  more: Pick<SmtpOptions, 'retry_ms'> = {},
): MailTransport | undefined {
  if (url === undefined) return undefined
  return url.startsWith('file:') ? fileMail(fileURLToPath(url), log) : smtpMail({ url, from, ...more })
}
