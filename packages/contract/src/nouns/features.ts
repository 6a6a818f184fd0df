import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, ProjectParams, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { flagsOf } from '../kit/flags.ts'

const common = { tags: ['Projects'] }
const base = '/v1/projects/{project_id}/features'

export const FeatureList = z
  .object({
    features: z.array(
      z.object({
        feature: z.string(),
        summary: z.string(),
        enabled: z.boolean(),
        operator_only: z.boolean().openapi({ description: 'Only a platform admin may change it' }),
      }),
    ),
  })
  .openapi('FeatureList')

export const listFeatures = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.customize.read' }),
  operationId: 'listFeatures',
  summary: 'List the feature flags of a project',
  description: 'With what each is for, and whether only the operator may change it.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: { 200: json(FeatureList, 'The flags'), ...refusals(400, 403, 404) },
})

export const setFeatures = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.customize.write' }),
  operationId: 'setFeatures',
  summary: 'Switch features of a project on or off',
  description:
    'What is switched off answers 403 `feature_disabled`. A flag of the operator’s is 403 `feature_operator_only` for every other caller.',
  method: 'patch',
  path: base,
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject(flagsOf(() => z.boolean().optional()))
        .openapi('SetFeatures', { example: examples.setFeatures }),
    ),
  },
  responses: { 200: json(FeatureList, 'The flags'), ...refusals(400, 403, 404, 415) },
})
