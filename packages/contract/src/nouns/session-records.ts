import { z } from '@hono/zod-openapi'
import { failureCategories, sandboxMachine, sessionOrigins, sessionMachine, stopReasons } from '@svc/session'
import { Metadata, PromptText, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { ModelUsage } from './usage-records.ts'

export const Session = z
  .object({
    session_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid(),
    branch_name: z.string(),
    base_ref: z.string(),
    status: z.enum(sessionMachine.states),
    error: z.string().nullable(),
    stop_reason: z.enum(stopReasons).nullable(),
    failure: z
      .object({ category: z.enum(failureCategories), message: z.string(), retryable: z.boolean() })
      .nullable(),
    agent_name: z.string(),
    harness: z.string().openapi({ description: 'The program that is its agent' }),
    harness_version: z.string().nullable(),
    model: z.string().nullable(),
    name: z.string().nullable(),
    metadata: Metadata,
    origin: z.enum(sessionOrigins),
    origin_ref: z.string().nullable(),
    labels: z.array(z.string()),
    parent_session_id: z.uuid().nullable(),
    sandbox_provider: z.string().nullable(),
    sandbox_id: z.uuid(),
    external_id: z.string().nullable(),
    runtime_session_id: z.string().nullable(),
    runtime_status: z.enum(sandboxMachine.states),
    runtime_url: z.string().nullable().openapi({ description: 'Proxy path of the session runtime' }),
    visibility: z.enum(['private', 'project']),
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
    started_at: Timestamp.nullable(),
    stopped_at: Timestamp.nullable(),
    usage: ModelUsage.openapi({ description: 'Its calls of models by the gateway' }),
  })
  .openapi('Session')

export const CreateSession = z
  .strictObject({
    initial_prompt: PromptText.min(1).optional(),
    agent_name: z.string().min(1).max(128).optional(),
    base_ref: z.string().min(1).max(255).optional(),
    harness: z.string().min(1).max(64).optional().openapi({
      description: 'The program that is its agent; default: what the agent’s file or the manifest names',
    }),
    name: text(200).min(1).optional(),
    model: z.string().min(1).max(255).optional(),
    sandbox_slug: z.string().min(1).max(128).optional(),
    session_id: z.uuidv4().optional(),
    metadata: Metadata.optional(),
    labels: z.array(text(limits.labelLength).min(1)).max(limits.labels).optional(),
    provider: z.string().min(1).max(64).optional(),
    runtime_context: z.unknown().optional().openapi({
      description:
        'Flat map of up to 64 keys to string, number, boolean or null; 16 KiB in all; no credentials',
      type: 'object',
    }),
    connector_bindings: z.unknown().optional().openapi({
      description: 'Map of connector slug to `{ connection_id }`, up to 64',
      type: 'object',
    }),
    secrets: z
      .unknown()
      .optional()
      .openapi({
        description: 'Names of the secrets to inject, up to 128; `[]` injects none',
        type: 'array',
        items: { type: 'string' },
      }),
    origin_ref: text(255).optional(),
    provider_secret_pools: z.record(z.string(), z.unknown()).optional().openapi({
      description:
        'Map of the slug of a model provider to 1 to 10 ids of its keys: the only ones that calls of the session use, in this order',
    }),
  })
  .openapi('CreateSession', { example: examples.createSession })

export const QueuedSession = z
  .object({ status: z.literal('queued'), command_id: z.string(), session_id: z.uuid(), reason: z.string() })
  .openapi('QueuedSession')

export const RefreshedSession = z
  .object({
    updated: z.boolean().openapi({ description: 'Whether the branch moved in the sandbox' }),
    note: z.string().nullable().openapi({ description: 'Why it did not, where there is more to say' }),
    restart: z.enum(['now', 'when_idle']).openapi({ description: 'When the agent runtime starts anew' }),
    branch: z.string().nullable(),
    commit: z.string().nullable(),
  })
  .openapi('RefreshedSession')

export const TranscriptMessage = z
  .object({
    message_id: z.string(),
    role: z.enum(['user', 'assistant']),
    at: Timestamp,
    text: z.string(),
    tools: z.array(
      z.object({
        tool: z.string(),
        status: z.string(),
        title: z.string().nullable(),
        input: z.unknown(),
        output: z.string().nullable(),
      }),
    ),
    error: z.string().nullable(),
  })
  .openapi('TranscriptMessage')
