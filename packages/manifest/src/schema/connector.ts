import { z } from 'zod'
import { manifestLimits } from '../limits.ts'
import { withConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { policy, policyActions } from './policy.ts'
import { exactly, filled, forbidden, slug } from './words.ts'

export const providers = [
  'aggregator_a',
  'aggregator_b',
  'mcp',
  'openapi',
  'collection',
  'graphql',
  'http',
  'channel',
  'computer',
] as const

export const authTypes = [
  'bearer',
  'basic',
  'custom',
  'api_key',
  'oauth1',
  'hmac',
  'aws_sigv4',
  'mtls',
  'none',
] as const

const headerName = z
  .string()
  .regex(
    new RegExp(`^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${manifestLimits.header_name_characters}}$`),
    `is not a valid header name: letters, digits and \`-\`, no spaces or colons, at most ${manifestLimits.header_name_characters} characters`,
  )
const headerValue = z
  .string()
  .regex(
    new RegExp(`^[^\\r\\n]{0,${manifestLimits.header_value_characters}}$`, 'u'),
    `must have at most ${manifestLimits.header_value_characters} characters and no line break`,
  )
const headers = z
  .record(headerName, headerValue)
  .refine(
    (map) => Object.keys(map).length <= manifestLimits.connector_headers,
    `must have at most ${manifestLimits.connector_headers} entries`,
  )
  .meta({ maxProperties: manifestLimits.connector_headers })

/** A secret value, in whichever key: people connect it instead. */
const secret = (key: string, holder: string) =>
  forbidden(
    `\`${key}\` is not allowed in \`${holder}\`: a manifest names no secret value; connect the credential instead`,
  )

const forAuth = (
  type: (typeof authTypes)[number],
  shapes: Readonly<Record<string, z.ZodType>>,
): Condition => ({
  when: { type: exactly(type) },
  shapes,
  because: `must fit \`auth\` of type \`${type}\``,
})

const auth = withConditions(z.looseObject({ type: z.enum(authTypes), secret: secret('secret', 'auth') }), [
  forAuth('api_key', { in: z.enum(['header', 'query']), name: filled }),
  forAuth('custom', { headers, query: z.record(filled, headerValue) }),
  forAuth('oauth1', { signature_method: z.enum(['HMAC-SHA1', 'HMAC-SHA256']) }),
  forAuth('aws_sigv4', { region: filled, service: filled }),
  forAuth('hmac', {
    algorithm: z.enum(['sha256', 'sha1', 'sha512']),
    payload: filled,
    header: headerName,
    format: z.string().regex(/\{(hex|base64)\}/, 'must have `{hex}` or `{base64}` in it'),
    timestamp_header: headerName,
    key_id_header: headerName,
  }),
])

const oauth = z.looseObject({
  client_id: filled.optional(),
  client_secret: secret('client_secret', 'oauth'),
  scopes: z.array(filled).optional(),
})

const forProvider = (provider: string, ...needs: readonly string[]): Condition => ({
  when: { provider: exactly(provider) },
  needs,
  because: `required when \`provider\` is \`${provider}\``,
})

export const connectorShape = withConditions(
  z.looseObject({
    slug,
    name: filled.optional(),
    provider: z.enum(providers),
    app: z.string().optional(),
    url: z.string().optional(),
    endpoint: z.string().optional(),
    base_url: z.string().optional(),
    baseUrl: z.string().optional(),
    transport: z.enum(['http', 'sse']).optional(),
    spec: z.string().optional(),
    platform: z.enum(['chat_a', 'chat_b', 'email']).optional(),
    credential: z.enum(['shared']).optional(),
    authorization_strategy: z.enum(['project', 'user']).optional(),
    agent_scope: forbidden("`agent_scope` is not allowed; grant the connector in an agent's `connectors`"),
    auth: auth.optional(),
    headers: headers.optional(),
    policies: z.array(policy).optional(),
    default_action: z.enum(['risk', ...policyActions]).optional(),
    timeout_seconds: z.int().min(1).max(manifestLimits.connector_timeout_seconds).optional(),
    idempotency_header: headerName.optional(),
    oauth: oauth.optional(),
    inline: z.boolean().optional(),
  }),
  [
    forProvider('aggregator_a', 'app'),
    forProvider('mcp', 'url'),
    forProvider('graphql', 'endpoint'),
    forProvider('http', 'base_url', 'baseUrl'),
    forProvider('channel', 'platform'),
    {
      when: { provider: exactly('channel') },
      only: { path: ['auth', 'type'], values: ['none'] },
      because: 'must be `none` when `provider` is `channel`',
    },
    {
      when: { provider: exactly('graphql') },
      only: {
        path: ['auth', 'type'],
        values: authTypes.filter((type) => type !== 'oauth1'),
      },
      because: '`oauth1` cannot sign for provider `graphql`',
    },
    {
      when: { slug: exactly('svc_chat_a', 'svc_chat_b', 'svc_email') },
      only: { path: ['provider'], values: ['channel'] },
      because: 'must be `channel`: the slug is reserved for it',
    },
    {
      when: { slug: exactly('computer') },
      only: { path: ['provider'], values: ['computer'] },
      because: 'must be `computer`: the slug is reserved for it',
    },
    {
      when: { provider: exactly('computer') },
      only: { path: ['slug'], values: ['computer'] },
      because: 'must be `computer` when `provider` is `computer`',
    },
  ],
)

export type ConnectorInput = z.output<typeof connectorShape>
