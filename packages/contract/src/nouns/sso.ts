import { createRoute, z } from '@hono/zod-openapi'
import { signInProviderPattern } from '@svc/facts'
import { json } from '../kit/common.ts'
import { Email, open, signInRefusals } from './sign-in-shape.ts'

const EmailQuery = Email.optional().openapi({ description: 'The address of the person who wants to sign in' })

const Provider = z
  .string()
  .regex(signInProviderPattern, 'must be the name of a provider')
  .openapi({ description: 'The name of a provider, as the list has it; of an account’s own, the account id' })
const SsoParams = z.object({ provider: Provider })

export const listSsoProviders = createRoute({
  ...open,
  operationId: 'listSsoProviders',
  summary: 'Who else signs people in',
  description:
    'Those that the operator configured; none is an empty list. With `email` the provider of its mail domain stands first, and alone where people of that domain sign in no other way. Only the domain counts: the answer is the same for an address that no person has.',
  method: 'get',
  path: '/v1/auth/sso',
  request: { query: z.object({ email: EmailQuery }) },
  responses: {
    200: json(
      z
        .object({
          providers: z.array(z.object({ name: z.string(), url: z.string() })),
          enforced: z.boolean().openapi({
            description: 'Whether people of this mail domain sign in this way alone',
          }),
        })
        .openapi('SsoProviders'),
      'The OpenID providers; a browser opens `url`',
    ),
    ...signInRefusals(),
  },
})

export const beginSso = createRoute({
  ...open,
  operationId: 'beginSso',
  summary: 'Send a browser to a provider to sign in there',
  description: 'For a browser: the answer is a redirect, with a cookie that the way back is checked against.',
  method: 'get',
  path: '/v1/auth/sso/{provider}',
  request: { params: SsoParams },
  responses: { 302: { description: 'To the provider, with PKCE, state and nonce' }, ...signInRefusals(404) },
})

export const finishSso = createRoute({
  ...open,
  operationId: 'finishSso',
  summary: 'Where a provider sends the browser back to',
  description:
    'The `link_token` is exchanged at `POST /v1/auth/verify-otp` with `type` `sso`. With `SVC_SIGN_IN_URL` the browser is sent there instead, with it behind `#`.',
  method: 'get',
  path: '/v1/auth/sso/{provider}/callback',
  request: { params: SsoParams },
  responses: {
    200: json(
      z.object({ type: z.literal('sso'), link_token: z.string() }).openapi('SsoDone'),
      'Signed in there',
    ),
    303: { description: 'To the page of the operator' },
    ...signInRefusals(403, 404, 409),
  },
})
