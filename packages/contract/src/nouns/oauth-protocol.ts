import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'

/**
 * The routes of the authorization server, for the reference alone: a library of its own answers them, in the shapes of the
 * standards, so they are none of the contract's operations.
 */
const common = { tags: ['OAuth'], ...reachedBy({ public: true }) }

const OAuthError = z
  .object({
    error: z.string().openapi({ description: 'A code of the standard, such as `invalid_grant`' }),
    error_description: z.string().optional(),
  })
  .openapi('OAuthError', {
    example: { error: 'invalid_grant', error_description: 'grant request is invalid' },
  })

const answer = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})
const form = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
})
const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: z.string().openapi({ example: '<!doctype html>' }) } },
})
const refused = (...statuses: (400 | 401 | 429)[]) =>
  Object.fromEntries(statuses.map((status) => [status, answer(OAuthError, words[status])]))
const words = {
  400: 'Not as the standard has it, or no longer valid',
  401: 'No such client',
  429: 'Too many attempts from this address; `Retry-After` says when to come again',
}

const described = (description: string, example: string) => z.string().openapi({ description, example })
const client_id = described('From `/v1/oauth/register`', '0f4c2a7e-5d1b-4c7e-9a53-0d6b1f1f2c11')
const scope = described('`svc` for the whole API, `profile` for who the person is', 'svc')
const redirect_uri = described('One that the app registered', 'http://127.0.0.1:8400/callback')

const authorize = createRoute({
  ...common,
  operationId: 'authorizeApp',
  summary: 'Ask a person to approve an app',
  description:
    'Opened in a browser (RFC 6749, with PKCE S256 always). After the approval the browser goes to `redirect_uri` with `code`, `state` and `iss`.',
  method: 'get',
  path: '/v1/oauth/authorize',
  request: {
    query: z.object({
      client_id,
      response_type: z.literal('code').openapi({ description: 'Codes alone are given' }),
      redirect_uri,
      code_challenge: described(
        'SHA-256 of the verifier, as base64url',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      ),
      code_challenge_method: z.literal('S256').openapi({ description: 'Plain challenges are refused' }),
      scope: scope.optional(),
      state: described('Comes back as it was sent', 'af0ifjsldkj').optional(),
    }),
  },
  responses: {
    303: { description: 'To the page that asks the person, or back to the app with `error`' },
    400: page('Shown as a page: the client or its address is not known'),
  },
})

const Tokens = z
  .object({
    access_token: described('`svc_oat_…`', 'svc_oat_example'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().openapi({ description: 'Seconds', example: 3600 }),
    refresh_token: described(
      '`svc_ort_…`: used once, and answered with the next',
      'svc_ort_example',
    ).optional(),
    scope: scope.optional(),
  })
  .openapi('OAuthTokens')

const token = createRoute({
  ...common,
  operationId: 'exchangeOAuthToken',
  summary: 'Exchange a code, a refresh token or a device code for tokens',
  description:
    'A refresh token that is used twice ends the approval. A device asks every `interval` seconds and is answered `authorization_pending` until the person has decided.',
  method: 'post',
  path: '/v1/oauth/token',
  request: {
    body: form(
      z
        .object({
          grant_type: z.enum([
            'authorization_code',
            'refresh_token',
            'urn:ietf:params:oauth:grant-type:device_code',
          ]),
          client_id,
          code: z.string().optional().openapi({ description: 'With `authorization_code`' }),
          redirect_uri: redirect_uri.optional(),
          code_verifier: z.string().optional().openapi({ description: 'With `authorization_code`' }),
          refresh_token: z.string().optional().openapi({ description: 'With `refresh_token`' }),
          device_code: z.string().optional().openapi({ description: 'With a device code' }),
        })
        .openapi('OAuthTokenRequest', {
          example: {
            grant_type: 'refresh_token',
            client_id: '0f4c2a7e-5d1b-4c7e-9a53-0d6b1f1f2c11',
            refresh_token: 'svc_ort_example',
          },
        }),
    ),
  },
  responses: { 200: answer(Tokens, 'The tokens'), ...refused(400, 401, 429) },
})

const appFields = {
  client_name: described('As people are shown it', 'My editor'),
  redirect_uris: z.array(z.string()).openapi({ example: ['http://127.0.0.1:8400/callback'] }),
  grant_types: z
    .array(z.string())
    .optional()
    .openapi({ example: ['authorization_code', 'refresh_token'] }),
  token_endpoint_auth_method: z
    .literal('none')
    .optional()
    .openapi({ description: 'Every app is a public client' }),
}

const register = createRoute({
  ...common,
  operationId: 'registerOAuthApp',
  summary: 'Register an app',
  description: 'RFC 7591. No app is given a secret.',
  method: 'post',
  path: '/v1/oauth/register',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.object(appFields).openapi('RegisterOAuthApp') } },
    },
  },
  responses: {
    201: answer(z.object({ client_id, ...appFields }).openapi('RegisteredOAuthApp'), 'The app'),
    ...refused(400, 429),
  },
})

const revoke = createRoute({
  ...common,
  operationId: 'revokeOAuthToken',
  summary: 'End a token, and the approval behind it',
  description:
    'RFC 7009: 200 whatever the token was. Reached without a credential: who holds the token may end it.',
  method: 'post',
  path: '/v1/oauth/revoke',
  request: {
    body: form(
      z
        .object({
          token: described('An access or a refresh token', 'svc_ort_example'),
          client_id: client_id.optional(),
        })
        .openapi('RevokeOAuthToken'),
    ),
  },
  responses: { 200: { description: 'Of no use any more' }, ...refused(400) },
})

const keys = createRoute({
  ...common,
  operationId: 'listOAuthKeys',
  summary: 'Read the keys that ID tokens are signed with',
  description: 'A JWK set (RFC 7517).',
  method: 'get',
  path: '/v1/oauth/keys',
  responses: {
    200: answer(
      z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).openapi('OAuthKeys', {
        example: { keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }] },
      }),
      'The keys',
    ),
    ...refused(429),
  },
})

const device = createRoute({
  ...common,
  operationId: 'startDeviceLogin',
  summary: 'Ask for the code that a person types for a device',
  description:
    'RFC 8628. The device shows `user_code` and asks `/v1/oauth/token` until the person has decided.',
  method: 'post',
  path: '/v1/auth/device',
  request: { body: form(z.object({ client_id, scope: scope.optional() }).openapi('StartDeviceLogin')) },
  responses: {
    200: answer(
      z
        .object({
          device_code: described('For the device alone', 'GmRhmhcxhwAzkoEqiMEg'),
          user_code: described('What the person types', 'BCDF-GHJK'),
          verification_uri: described('Where', 'https://svc.example/v1/oauth/device'),
          verification_uri_complete: described(
            'The same with the code in it',
            'https://svc.example/v1/oauth/device?user_code=BCDF-GHJK',
          ),
          expires_in: z.int().openapi({ example: 600 }),
          interval: z.int().openapi({ description: 'Seconds between two questions', example: 5 }),
        })
        .openapi('DeviceLogin'),
      'The codes',
    ),
    ...refused(400, 401, 429),
  },
})

const verify = createRoute({
  ...common,
  operationId: 'openDevicePage',
  summary: 'Open the page on which a person types the code of a device',
  description: 'For browsers.',
  method: 'get',
  path: '/v1/oauth/device',
  request: { query: z.object({ user_code: described('Typed already', 'BCDF-GHJK').optional() }) },
  responses: { 200: page('The page'), ...refused(429) },
})

export const oauthProtocol = [authorize, token, register, revoke, keys, device, verify] as const
