import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, Metadata, PageQuery, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, ProjectId } from '../kit/parameters.ts'

const common = { tags: ['Audit'] }
const base = '/v1/accounts/{account_id}/audit'
const auditors = reachedBy({ account_role: 'admin', entitlement: 'auditAccess' })

/** Typed as any other string: the router takes every name with json in it for one JSON document. */
const ndjson: string = 'application/x-ndjson'

const AccountParams = z.object({ account_id: AccountId })
const outcomes = ['success', 'denied', 'failed'] as const

export const AuditEvent = z
  .object({
    event_id: z.uuid(),
    seq: z.int().openapi({ description: 'The place in the chain of the account, from 1' }),
    at: Timestamp,
    account_id: z.uuid(),
    project_id: z.uuid().nullable(),
    session_id: z.uuid().nullable(),
    actor: z.object({
      type: z.enum(['user', 'project', 'session', 'sandbox', 'gateway', 'service', 'scim', 'system']),
      id: z.string().openapi({ description: 'A person, service account, session or token, by `type`' }),
      on_behalf_of: z.uuid().nullable().openapi({ description: 'Whose power a token or session has' }),
    }),
    action: z.string().openapi({ description: 'The `operationId` of what was asked for' }),
    target: z.string().openapi({ description: 'As a path: `projects/<id>/secrets/NAME`' }),
    outcome: z.enum(outcomes),
    request_id: z.string().nullable(),
    ip: z.string().nullable(),
    details: Metadata,
    prev_hash: z.string(),
    hash: z.string().openapi({ description: 'SHA-256 of `prev_hash` and the canonical text of the event' }),
  })
  .openapi('AuditEvent')

const Filter = z.object({
  actor: z.string().max(64).optional().openapi({ description: 'An actor’s id, or whom it acts for' }),
  action: z.string().max(64).optional().openapi({ description: 'An `operationId`' }),
  project_id: ProjectId.optional(),
  outcome: z.enum(outcomes).optional().openapi({ description: 'Only those that ended so' }),
  since: Timestamp.optional().openapi({ description: 'From this instant on' }),
  until: Timestamp.optional().openapi({ description: 'Before this instant' }),
})

export const listAudit = createRoute({
  ...common,
  ...auditors,
  operationId: 'listAudit',
  summary: 'List the audit events of an account, newest first',
  description:
    'Needs the entitlement `auditAccess`. `next_cursor` is the `cursor` of the next page, and null on the last.',
  method: 'get',
  path: base,
  request: { params: AccountParams, query: PageQuery.extend(Filter.shape) },
  responses: {
    200: json(
      z.object({ events: z.array(AuditEvent), next_cursor: z.string().nullable() }).openapi('AuditPage'),
      'One page',
    ),
    ...refusals(400, 402, 403, 404),
  },
})

export const exportAudit = createRoute({
  ...common,
  ...auditors,
  operationId: 'exportAudit',
  summary: 'Every audit event that matches, oldest first, a JSON object a line',
  description:
    'Needs the entitlement `auditAccess`. Sent while it is read, so that its length is not known before.',
  method: 'get',
  path: `${base}/export`,
  request: { params: AccountParams, query: Filter },
  responses: {
    200: {
      description: 'Newline-delimited JSON',
      content: { [ndjson]: { schema: z.string(), example: examples.auditLines } },
    },
    ...refusals(400, 402, 403, 404),
  },
})

export const verifyAudit = createRoute({
  ...common,
  ...auditors,
  operationId: 'verifyAudit',
  summary: 'Whether the chain of the account is whole',
  description:
    'A changed, removed or inserted event breaks it. Keep `head_hash` elsewhere to notice a lost end.',
  method: 'get',
  path: `${base}/verify`,
  request: { params: AccountParams },
  responses: {
    200: json(
      z
        .object({
          valid: z.boolean(),
          events: z.int().openapi({ description: 'How many hold, from the first' }),
          head_hash: z.string(),
          broken: z.object({ seq: z.int(), event_id: z.uuid().nullable(), reason: z.string() }).nullable(),
        })
        .openapi('AuditVerdict'),
      'The verdict',
    ),
    ...refusals(400, 402, 403, 404),
  },
})
