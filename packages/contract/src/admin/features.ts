import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { flagsOf } from '../kit/flags.ts'

const common = { tags: ['Operated accounts'], ...reachedBy({ platform_admin: true }) }
const path = '/v1/admin/features'

export const PlatformFeatures = z
  .object({
    features: z.array(
      z.object({
        feature: z.string(),
        summary: z.string(),
        available: z.boolean().openapi({ description: 'False: no project has it, whatever was decided' }),
        default: z.boolean().openapi({ description: 'For projects and accounts without a decision' }),
        operator_only: z.boolean().openapi({ description: 'Only a platform admin may change it' }),
      }),
    ),
  })
  .openapi('PlatformFeatures')

export const listPlatformFeatures = createRoute({
  ...common,
  operationId: 'listPlatformFeatures',
  summary: 'List the features of the platform',
  description: 'A project has what it decided, else what its account has, else the default.',
  method: 'get',
  path,
  responses: { 200: json(PlatformFeatures, 'The features'), ...refusals(403) },
})

export const setPlatformFeatures = createRoute({
  ...common,
  operationId: 'setPlatformFeatures',
  summary: 'Close a feature everywhere, or change its default',
  description:
    'Where `available` is false every project is refused with 403 `feature_disabled`. The default of `model_gateway` opts ' +
    'no project in: each does that alone.',
  method: 'patch',
  path,
  request: {
    body: body(
      z
        .strictObject(
          flagsOf(() =>
            z.strictObject({ available: z.boolean().optional(), default: z.boolean().optional() }).optional(),
          ),
        )
        .openapi('SetPlatformFeatures', { example: examples.setPlatformFeatures }),
    ),
  },
  responses: { 200: json(PlatformFeatures, 'As they are now'), ...refusals(400, 403, 415) },
})
