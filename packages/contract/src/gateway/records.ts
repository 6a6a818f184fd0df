import { z } from '@hono/zod-openapi'
import {
  outputLimitFields,
  PriceCard as Card,
  ProviderApiKey,
  ProviderBaseUrl,
  ProviderDeadlines,
  providerKinds,
  ProviderModel,
  ProviderSlug,
} from '@svc/models/rules'
import { text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const scope = z.enum(['operator', 'account', 'project'])

export const ProviderKey = z
  .object({
    key_id: z.uuid(),
    name: z.string(),
    hint: z.string().openapi({ description: 'Its last characters; the key itself is never shown' }),
    enabled: z.boolean(),
    cooling_until: Timestamp.nullable().openapi({ description: 'Until then it is tried last' }),
    last_used_at: Timestamp.nullable(),
    last_error: z.string().nullable(),
  })
  .openapi('GatewayProviderKey')

const models = z
  .array(ProviderModel)
  .min(1)
  .max(500)
  .nullable()
  .openapi({ description: 'What it offers; null asks the provider itself, and keeps its list for an hour' })
const deadlines = z.strictObject(ProviderDeadlines.shape).openapi({
  description:
    'Times in ms: to connect, to the first byte (120,000), between pieces (60,000), in all (1,800,000)',
})
const output_limit_field = z
  .enum(outputLimitFields)
  .openapi({ description: 'The field of a chat completion in which the provider reads the output limit' })
const base_url = ProviderBaseUrl.describe(
  'The root of its routes, with its version: https and public, but for an operator’s',
)
const api_key = ProviderApiKey.describe('Never shown again')

export const GatewayProvider = z
  .object({
    provider_id: z.uuid(),
    scope,
    slug: z.string(),
    kind: z.enum([...providerKinds, 'demo']),
    base_url: z.string(),
    models,
    deadlines,
    output_limit_field,
    enabled: z.boolean(),
    managed_by: z.enum(['api', 'environment']).openapi({
      description: '`environment`: a setting of the operator names it, and nothing else changes it',
    }),
    keys: z.array(ProviderKey),
    created_by: z.uuid().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('GatewayProvider')

export const CreateProvider = z
  .strictObject({
    slug: ProviderSlug,
    kind: z.enum(providerKinds),
    base_url,
    api_key: api_key.optional(),
    models: models.optional(),
    deadlines: deadlines.optional(),
    output_limit_field: output_limit_field.optional(),
  })
  .openapi('CreateGatewayProvider', { example: examples.createGatewayProvider })

export const UpdateProvider = z
  .strictObject({
    base_url: base_url.optional(),
    models: models.optional(),
    deadlines: deadlines.optional(),
    output_limit_field: output_limit_field.optional(),
    enabled: z.boolean().optional(),
  })
  .openapi('UpdateGatewayProvider', { example: examples.updateGatewayProvider })

export const AddProviderKey = z
  .strictObject({ name: text(64).min(1), api_key })
  .openapi('AddGatewayProviderKey', { example: examples.addGatewayProviderKey })

export const ProviderTest = z
  .object({
    ok: z.boolean(),
    status: z.int().nullable().openapi({ description: 'What it answered; null where it did not' }),
    latency_ms: z.int(),
    models: z.array(z.string()).openapi({ description: 'Those that it lists, at most a thousand' }),
    message: z.string(),
  })
  .openapi('GatewayProviderTest')

export const PriceCard = z.object(Card.shape).strict().openapi('PriceCard', {
  description: 'Whole micro-dollars for a million tokens, and `request` for each call',
})

export const ModelText = text(256).min(1).openapi({
  description: '`provider/model`; the platform’s own model is its bare id',
  example: 'acme/great',
})

const source = z
  .enum(['project', 'account', 'operator', 'library'])
  .openapi({ description: 'Who set the price; `library` is the bundled list' })

export const GatewayPrice = z
  .object({ model: z.string(), source, price_id: z.string(), card: PriceCard })
  .openapi('GatewayPrice')

export const SetPrice = z
  .strictObject({ model: ModelText, card: Card })
  .openapi('SetGatewayPrice', { example: examples.setGatewayPrice })

const globs = z
  .array(text(256).min(1))
  .max(200)
  .nullable()
  .openapi({ description: 'Patterns such as `acme/*` that let a model through; null lets every one through' })
const fallback = z.union([
  ModelText,
  z.strictObject({
    model: ModelText,
    billed: z.boolean().optional().openapi({
      description: 'May be asked although another place pays for it than for the model before',
    }),
  }),
])

const settings = {
  default_model: ModelText.nullable().openapi({
    description: 'The model of calls that name none; null leaves it to the next place',
  }),
  models: globs,
  agents: z
    .record(text(64).min(1), z.strictObject({ models: globs }))
    .refine((agents) => Object.keys(agents).length <= 200, 'must be at most 200 agents')
    .openapi({ description: 'A list for each agent, by its name' }),
  fallbacks: z
    .record(text(256).min(1), z.array(fallback).max(10))
    .refine((lists) => Object.keys(lists).length <= 200, 'must be at most 200 models')
    .openapi({ description: 'The models that are asked in turn where this one does not answer' }),
  log_bodies: z.boolean().openapi({ description: 'Whether requests and answers are kept, sealed' }),
  body_days: z.int().min(1).max(90).openapi({ description: 'How long they are kept' }),
}

export const GatewaySettings = z.object(settings).openapi('GatewaySettings')

export const ProjectGateway = z
  .object({
    enabled: z
      .boolean()
      .openapi({ description: 'Whether the project opted in, by its feature `model_gateway`' }),
    offered: z.boolean().openapi({ description: 'Whether the operator offers it' }),
    entitled: z.boolean().openapi({ description: 'Whether the plan of the account holds it' }),
    base_url: z.string().nullable().openapi({ description: 'The gateway as sandboxes reach it' }),
    ...settings,
  })
  .openapi('ProjectGateway')

export const UpdateSettings = z
  .strictObject({
    default_model: settings.default_model.optional(),
    models: globs.optional(),
    agents: settings.agents.optional(),
    fallbacks: settings.fallbacks.optional(),
    log_bodies: settings.log_bodies.optional(),
    body_days: settings.body_days.optional(),
  })
  .openapi('UpdateGatewaySettings', { example: examples.updateGatewaySettings })

export const GatewayModel = z
  .object({
    model: z.string(),
    provider: z.string(),
    provider_scope: scope,
    kind: z.enum([...providerKinds, 'demo']),
    context_window: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
    price: z.object({ price_id: z.string(), source, card: PriceCard }).nullable(),
    allowed: z.boolean().openapi({ description: 'Whether the lists of all places let it through' }),
    default: z.boolean().openapi({ description: 'Whether calls that name no model get it' }),
  })
  .openapi('GatewayModel')
