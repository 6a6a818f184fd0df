import { fileURLToPath } from 'node:url'
import type { Logger } from '@svc/boot'
import type { PlatformEnv } from '../platform/env.ts'
import { fileMail } from './file.ts'
import { smtpMail } from './smtp.ts'
import type { MailTransport } from './transport.ts'

export function openMail(
  env: Pick<PlatformEnv, 'SVC_MAIL_URL' | 'SVC_MAIL_FROM'>,
  log: Logger,
): MailTransport | undefined {
  const { SVC_MAIL_URL: url, SVC_MAIL_FROM: from } = env
  if (url === undefined) return undefined
  return url.startsWith('file:') ? fileMail(fileURLToPath(url), log) : smtpMail({ url, from })
}
