import { z } from 'zod'

/** The settings of mails, of each process that sends some. */
export const mailEnv = {
  SVC_MAIL_URL: z
    .string()
    .regex(
      /^(smtps?:\/\/.+|file:\/\/\/.+)/,
      'must be smtp://user:password@host:587, smtps://… or file:///a/folder',
    )
    .optional()
    .describe('where mails go: an SMTP server, or a folder that they are written to'),
  SVC_MAIL_FROM: z
    .string()
    .regex(/^[^<>\r\n]+ <[^<>\s]+@[^<>\s]+>$/, 'must look like: name <address>')
    .default('svc <noreply@svc.invalid>')
    .describe('the sender of mails'),
} as const
