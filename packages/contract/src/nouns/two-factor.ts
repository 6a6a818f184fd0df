import { createRoute, z } from '@hono/zod-openapi'
import { body, json } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { own, Password, signInRefusals, TotpCode } from './sign-in-shape.ts'

export const enrolTotp = createRoute({
  ...own,
  operationId: 'enrolTotp',
  summary: 'Get a secret for an authenticator app',
  description:
    'Shown this once, to a sign-in and with the password where there is one. It counts once confirmed.',
  method: 'post',
  path: '/v1/auth/totp',
  request: {
    body: body(
      z.strictObject({ password: Password.optional() }).openapi('EnrolTotp', { example: examples.enrolTotp }),
      false,
    ),
  },
  responses: {
    200: json(z.object({ secret: z.string(), otpauth_uri: z.string() }).openapi('TotpSecret'), 'The secret'),
    ...signInRefusals(403, 404, 409),
  },
})

const TotpBody = z.strictObject({ code: TotpCode }).openapi('TotpCode', { example: examples.totpCode })

export const confirmTotp = createRoute({
  ...own,
  operationId: 'confirmTotp',
  summary: 'Turn two-factor on with a first code; your other sign-ins end',
  description: 'It counts from then on. The recovery codes are in this answer and never again.',
  method: 'post',
  path: '/v1/auth/totp/confirm',
  request: { body: body(TotpBody) },
  responses: {
    200: json(
      z.object({ recovery_codes: z.array(z.string()) }).openapi('RecoveryCodes'),
      'Codes for a lost device, each for one sign-in, shown this once',
    ),
    ...signInRefusals(403, 409),
  },
})

export const disableTotp = createRoute({
  ...own,
  operationId: 'disableTotp',
  summary: 'Turn two-factor off with a code',
  description: 'A code of the authenticator app, or a recovery code.',
  method: 'post',
  path: '/v1/auth/totp/disable',
  request: { body: body(TotpBody) },
  responses: { 204: { description: 'Off' }, ...signInRefusals(403, 404, 409) },
})
