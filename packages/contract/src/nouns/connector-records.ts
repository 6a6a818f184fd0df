import { z } from '@hono/zod-openapi'
import { actionStates, approvalMachine, callMachine, decisions, reasons, risks } from '@svc/connector/states'
import { Timestamp } from '../kit/common.ts'

const words = <const Words extends readonly [string, ...string[]]>(list: Words) => z.enum(list)

export const Risk = words(risks).openapi({
  description: '`destructive` takes away what cannot be brought back',
})
export const PolicyDecision = words(decisions)

export const DecidingRule = z
  .object({
    source: z.enum(['policy', 'default', 'changed']),
    index: z.int().nullable().openapi({ description: 'The policy that matched, from 0' }),
    match: z.string().nullable(),
  })
  .openapi('DecidingRule', {
    description: 'What decided: a policy, the default of the connector, or that the action changed',
  })

const ClauseValue = z.union([z.string(), z.number(), z.boolean()]).nullable()
const Clause = z
  .object({
    path: z.string(),
    equals: ClauseValue.optional(),
    in: z.array(ClauseValue).optional(),
    matches: z.string().optional(),
    exists: z.boolean().optional(),
  })
  .openapi({ description: 'One of `equals`, `in`, `matches` and `exists`, of the arguments at `path`' })

const Policy = z.object({
  match: z.string(),
  action: PolicyDecision,
  when: z.array(Clause),
  second_person: z.boolean(),
  expires: z.string(),
})

export const Connector = z
  .object({
    slug: z.string(),
    name: z.string(),
    provider: z.string(),
    status: z.enum(['syncing', 'ready', 'needs_connection', 'error']),
    error: z.string().nullable(),
    authorization_strategy: z.enum(['project', 'user']),
    auth_type: z.string().nullable(),
    credential_fields: z
      .array(z.object({ name: z.string(), required: z.boolean() }))
      .openapi({ description: 'Fields that a connection is made with; none where nothing is needed' }),
    address: z.string().nullable(),
    policies: z.array(Policy),
    default_action: z.enum(['risk', ...decisions]),
    actions: z.int().openapi({ description: 'How many it has' }),
    connection: z
      .object({ connection_id: z.uuid(), label: z.string(), scope: z.enum(['project', 'personal']) })
      .nullable()
      .openapi({ description: 'The one that a session of the caller would use' }),
    catalogue_digest: z.string().nullable(),
    synced_at: Timestamp.nullable(),
    takes_sign_in: z.boolean().openapi({
      description: 'A person may connect it by signing in at its service, in place of storing a credential',
    }),
    connect_url: z.string(),
  })
  .openapi('Connector')

export const ConnectorList = z
  .object({
    connectors: z.array(Connector),
    errors: z.array(z.object({ slug: z.string(), path: z.string(), error: z.string() })),
    next_cursor: z.string().nullable(),
  })
  .openapi('ConnectorList')

const InputSchema = z.record(z.string(), z.unknown()).openapi({ description: 'JSON Schema of the arguments' })

export const ConnectorActionItem = z
  .object({
    tool: z.string().openapi({ description: 'Its name as a tool' }),
    action: z.string(),
    title: z.string().nullable(),
    description: z.string(),
    risk: Risk,
    state: z.enum(actionStates),
    decision: PolicyDecision,
    rule: DecidingRule,
    hidden: z.boolean().openapi({ description: 'Blocked whatever its arguments: agents do not see it' }),
    input_schema: InputSchema,
  })
  .openapi('ConnectorAction')

export const PolicyTest = z
  .object({
    decision: PolicyDecision,
    risk: Risk,
    rule: DecidingRule,
    hidden: z.boolean(),
    steps: z.array(z.object({ index: z.int(), match: z.string(), matched: z.boolean(), why: z.string() })),
  })
  .openapi('PolicyTest')

export const Connection = z
  .object({
    connection_id: z.uuid(),
    label: z.string(),
    scope: z.enum(['project', 'personal']),
    kind: z.enum(['credential', 'oauth2', 'aggregator', 'computer']),
    status: z.enum(['pending', 'active', 'expired', 'revoked']),
    fields: z.array(z.string()).openapi({ description: 'Names of what it is sealed with; never a value' }),
    origin: z.string().nullable().openapi({ description: 'The only address that it is sent to' }),
    is_default: z.boolean(),
    online: z.boolean().nullable().openapi({
      description: 'Whether the paired computer is connected now; null where the connection is none',
    }),
    created_by: z.uuid().nullable(),
    last_error: z.string().nullable(),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
  })
  .openapi('ConnectorConnection')

export const ConnectorAuthorization = z
  .object({
    authorization_id: z.uuid(),
    connection_id: z.uuid().openapi({ description: 'The connection that it is for' }),
    status: z.enum(['pending', 'returned', 'connected', 'failed', 'expired']).openapi({
      description: '`returned`: the browser came back, and the person who began finishes',
    }),
    error: z.string().nullable().openapi({ description: 'Why it failed, for the person' }),
    issuer: z.string().nullable().openapi({ description: 'Who signs the person in' }),
    authorization_url: z.string().nullable().openapi({
      description: 'The page to open in a browser; in the answer that began it alone',
    }),
    connect_url: z.string(),
    expires_at: Timestamp,
  })
  .openapi('ConnectorAuthorization')

export const callStatuses = z.enum(callMachine.states)

const Actor = z.object({ type: z.enum(['user', 'project', 'session', 'service']), user_id: z.uuid() })

export const ConnectorCall = z
  .object({
    call_id: z.uuid(),
    connector: z.string(),
    action: z.string(),
    provider: z.string(),
    actor: Actor,
    session_id: z.uuid().nullable(),
    door: z.enum(['executor', 'rest', 'mcp']),
    risk: Risk,
    rule: DecidingRule.nullable(),
    status: callStatuses,
    reason: z.string().nullable(),
    settled: z.boolean().openapi({ description: 'A person said how it ended' }),
    request_digest: z.string(),
    upstream_status: z.int().nullable(),
    ms: z.int().nullable(),
    bytes_in: z.int().nullable(),
    bytes_out: z.int().nullable(),
    connection_id: z.uuid().nullable(),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    sent_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    delivery: z.enum(['owed', 'inline', 'prompt']).nullable(),
    delivered_at: Timestamp.nullable(),
  })
  .openapi('ConnectorCall')

const Done = z.object({
  ok: z.literal(true),
  status: z.literal('done'),
  call_id: z.uuid(),
  risk: Risk,
  data: z.unknown(),
  truncated: z.literal(true).optional(),
})
const NotDone = z.object({
  ok: z.literal(false),
  status: z.enum(['denied', 'error', 'pending']),
  reason: words(reasons).openapi({ description: 'Branch on it, never on the text' }),
  message: z.string().openapi({ description: 'Says what to do' }),
  call_id: z.uuid().optional(),
  connector: z.string().optional(),
  connect_url: z.string().optional().openapi({ description: 'The page where a person connects it' }),
  rule: DecidingRule.nullable().optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  detail: z.string().nullable().optional(),
  upstream_status: z.int().optional().openapi({ description: 'Status of the service’s own answer' }),
  data: z.unknown().optional().openapi({ description: 'The service’s own words on its refusal' }),
  approval_url: z.string().optional().openapi({ description: 'The page where a person decides' }),
  digest: z.string().nullable().optional(),
  expires_at: Timestamp.nullable().optional(),
})

export const CallOutcome = z
  .union([Done, NotDone])
  .openapi('ConnectorOutcome', { description: 'The end of a call, or why there is none yet' })

const state = { call: ConnectorCall }
export const CallState = z
  .union([Done.extend(state), NotDone.extend(state)])
  .openapi('ConnectorCallState', { description: 'How a call stands, with its row of the ledger' })

export const approvalStatuses = z.enum(approvalMachine.states)

export const Approval = z
  .object({
    call_id: z.uuid(),
    status: approvalStatuses,
    connector: z.string(),
    action: z.string(),
    risk: Risk,
    rule: DecidingRule.nullable(),
    digest: z.string().openapi({ description: 'SHA-256 of all that is decided on' }),
    args: z.record(z.string(), z.unknown()).nullable(),
    args_text: z.string().nullable().openapi({ description: 'The same for people, whole' }),
    connection: z
      .object({
        connection_id: z.uuid().nullable(),
        label: z.string(),
        scope: z.enum(['project', 'personal']),
      })
      .nullable(),
    address: z.string().nullable(),
    session_id: z.uuid().nullable(),
    requested_by: Actor,
    second_person: z.boolean(),
    created_at: Timestamp,
    expires_at: Timestamp,
    decided_by: z.uuid().nullable(),
    decision: z.enum(['approve', 'deny']).nullable(),
    message: z.string().nullable(),
    decided_at: Timestamp.nullable(),
    outcome: z.object({ status: callStatuses, reason: z.string().nullable() }),
  })
  .openapi('Approval')
