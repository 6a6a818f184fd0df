import { limits, type sessions as contract } from '@svc/contract'
import type { RequestedSession } from '@svc/db'
import { issuesOf } from '@svc/contract/issues'
import { slugPattern } from '@svc/facts'
import { type ErrorCode, ServiceError } from '@svc/errors'
import { ProviderSlug } from '@svc/models/rules'
import { z } from 'zod'

export type CreateSessionBody = z.infer<typeof contract.CreateSession>

const scalar = z.union(
  [z.string().max(limits.runtimeContextValueLength), z.number(), z.boolean(), z.null()],
  `must be a string of at most ${limits.runtimeContextValueLength} characters, a number, a boolean or null`,
)
const credentialWords =
  /(^|[_.-])(token|secret|password|passwd|credential|credentials|api[_.-]?key|private[_.-]?key|authorization)($|[_.-])/

const RuntimeContext = z
  .record(z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'keys must match ^[a-z][a-z0-9_.-]{0,63}$'), scalar)
  .refine(
    (map) => Object.keys(map).length <= limits.runtimeContextKeys,
    `must have at most ${limits.runtimeContextKeys} keys`,
  )
  .refine(
    (map) => Buffer.byteLength(JSON.stringify(map)) <= limits.runtimeContextBytes,
    'must be at most 16 KiB',
  )
  .refine(
    (map) => !Object.keys(map).some((key) => credentialWords.test(key)),
    'must not carry credentials; use secrets',
  )

const ConnectorBindings = z
  .record(
    z.string().regex(slugPattern, 'must be a connector slug'),
    z.strictObject({ connection_id: z.string().min(1).max(255) }),
  )
  .refine(
    (map) => Object.keys(map).length <= limits.connectorBindings,
    `must have at most ${limits.connectorBindings} entries`,
  )

const ProviderPools = z
  .record(ProviderSlug, z.array(z.uuid()).min(1).max(limits.providerPoolKeys))
  .refine(
    (map) => Object.keys(map).length <= limits.providerPools,
    `must have at most ${limits.providerPools} entries`,
  )

const SecretNames = z.array(z.string().min(1).max(limits.secretNameLength)).max(limits.sessionSecretNames)

/** The fields whose malformed values have codes of their own. */
export function requestedSession(body: CreateSessionBody): RequestedSession {
  const { runtime_context, connector_bindings, secrets, provider_secret_pools, sandbox_slug, provider } = body
  return {
    ...(runtime_context === undefined
      ? {}
      : {
          runtime_context: parse(
            RuntimeContext,
            runtime_context,
            'runtime_context',
            'INVALID_SESSION_RUNTIME_CONTEXT',
          ),
        }),
    ...(connector_bindings === undefined
      ? {}
      : {
          connector_bindings: parse(
            ConnectorBindings,
            connector_bindings,
            'connector_bindings',
            'INVALID_SESSION_CONNECTOR_BINDINGS',
          ),
        }),
    ...(secrets === undefined
      ? {}
      : { secrets: parse(SecretNames, secrets, 'secrets', 'INVALID_SESSION_SECRETS') }),
    ...(provider_secret_pools === undefined
      ? {}
      : {
          provider_secret_pools: parse(
            ProviderPools,
            provider_secret_pools,
            'provider_secret_pools',
            'invalid_request',
          ),
        }),
    ...(sandbox_slug === undefined ? {} : { sandbox_slug }),
    ...(provider === undefined ? {} : { provider }),
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, field: string, code: ErrorCode): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = issuesOf(result.error, [field])
  const first = issues[0]
  throw new ServiceError(code, first ? `${first.path}: ${first.message}` : `${field}: is not valid`, {
    issues,
  })
}

export function checkIdempotencyKey(key: string): void {
  if (/^[A-Za-z0-9._:+/=-]{1,255}$/.test(key)) return
  throw new ServiceError(
    'INVALID_IDEMPOTENCY_KEY',
    'Idempotency-Key must be 1 to 255 characters of A-Z a-z 0-9 . _ : + / = -',
  )
}
