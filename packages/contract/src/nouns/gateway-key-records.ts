import { z } from '@hono/zod-openapi'
import { text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { Token } from './accounts.ts'

const count = (max: number, description: string) =>
  z.int().min(1).max(max).nullable().openapi({ description })
const models = z
  .array(text(200).min(1))
  .max(100)
  .nullable()
  .openapi({ description: 'Globs such as `acme/*` of the models that it may name; null for every one' })

const limits = {
  requests_per_minute: count(1_000_000, 'Calls that begin within a minute; null for any number'),
  tokens_per_minute: count(1_000_000_000, 'Tokens of the calls of the last minute; null for any number'),
  concurrency: count(10_000, 'Calls that run at a time; null for any number'),
  models,
}

const GatewayKeyLimits = z.object(limits).openapi('GatewayKeyLimits')
const SetLimits = z
  .strictObject({
    requests_per_minute: limits.requests_per_minute.optional(),
    tokens_per_minute: limits.tokens_per_minute.optional(),
    concurrency: limits.concurrency.optional(),
    models: models.optional(),
  })
  .openapi('SetGatewayKeyLimits')

export const GatewayKey = Token.extend({
  limits: GatewayKeyLimits,
  rotated_from: z.uuid().nullable().openapi({ description: 'The key in whose place it came' }),
}).openapi('GatewayKey')

export const MintedGatewayKey = GatewayKey.extend({
  token: z.string().openapi({ description: 'The secret, shown this once' }),
}).openapi('MintedGatewayKey')

export const CreateGatewayKey = z
  .strictObject({
    name: text(100).min(1),
    expires_at: Timestamp.optional(),
    limits: SetLimits.optional(),
  })
  .openapi('CreateGatewayKey', { example: examples.createGatewayKey })

export const UpdateGatewayKey = z
  .strictObject({ name: text(100).min(1).optional(), limits: SetLimits.optional() })
  .openapi('UpdateGatewayKey', { example: examples.updateGatewayKey })

export const RotateGatewayKey = z
  .strictObject({
    grace_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .openapi({ description: 'For so long the old key is of use beside it; 0 when absent' }),
  })
  .openapi('RotateGatewayKey', { example: examples.rotateGatewayKey })
