import { z } from 'zod'

/** The variables of how people sign in. */
export const signInEnv = {
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
  SVC_SIGN_UP: z
    .enum(['open', 'invited'])
    .default('invited')
    .describe('who may sign up: anybody, or whom an account invited'),
  SVC_SIGN_IN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the page that links in mails lead to; the API's own by default"),
  SVC_SSO_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a JSON file of OpenID providers: [{ name, issuer, client_id, client_secret }]'),
} as const
