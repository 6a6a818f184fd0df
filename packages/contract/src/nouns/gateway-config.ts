import { createRoute, z } from '@hono/zod-openapi'
import { GatewayModel, ProjectGateway, UpdateSettings } from '../gateway/records.ts'
import { priceRoutes, providerRoutes } from '../gateway/routes.ts'
import { reachedBy } from '../kit/access.ts'
import { body, json, ProjectParams, refusals } from '../kit/common.ts'
import { ProjectId } from '../kit/parameters.ts'

const tag = 'Models'
const base = '/v1/projects/{project_id}/gateway'
const place = { base, params: { project_id: ProjectId }, tag, word: '', of: 'a project' } as const

export const getGateway = createRoute({
  tags: [tag],
  ...reachedBy({ capability: 'project.customize.read' }),
  operationId: 'getGateway',
  summary: 'Whether a project has the model gateway, and which models it lets calls have',
  description: 'Calls go through when it is `enabled`, `offered` and `entitled`.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: { 200: json(ProjectGateway, 'The gateway of the project'), ...refusals(400, 403, 404) },
})

export const updateGateway = createRoute({
  tags: [tag],
  ...reachedBy({ capability: 'project.customize.write' }),
  operationId: 'updateGateway',
  summary: 'Change which models a project lets calls have',
  description:
    'What is left out stays; a map is replaced whole. A model that no provider offers is 400. The feature ' +
    '`model_gateway` switches the gateway itself on.',
  method: 'patch',
  path: base,
  request: { params: ProjectParams, body: body(UpdateSettings) },
  responses: { 200: json(ProjectGateway, 'As it is now'), ...refusals(400, 403, 404, 415) },
})

export const listGatewayModels = createRoute({
  tags: [tag],
  ...reachedBy({ capability: 'project.read' }),
  operationId: 'listGatewayModels',
  summary: 'List the models that the gateway offers a project, with their prices',
  description:
    'A model of another name is asked with the project’s own secret `<PROVIDER>_API_KEY`, outside of the gateway, ' +
    'its budgets and its log. Models of a provider that neither names them nor answers are left out.',
  method: 'get',
  path: `${base}/models`,
  request: { params: ProjectParams },
  responses: {
    200: json(z.object({ models: z.array(GatewayModel) }), 'The models'),
    ...refusals(400, 403, 404),
  },
})

const providers = providerRoutes({
  ...place,
  read: { capability: 'project.customize.read' },
  write: { capability: 'project.secret.write' },
})
export const {
  list: listGatewayProviders,
  create: createGatewayProvider,
  update: updateGatewayProvider,
  remove: deleteGatewayProvider,
  test: testGatewayProvider,
  addKey: addGatewayProviderKey,
  removeKey: removeGatewayProviderKey,
} = providers

const prices = priceRoutes({
  ...place,
  read: { capability: 'project.gateway.spend.read' },
  write: { capability: 'project.gateway.budget.set' },
})
export const { list: listGatewayPrices, set: setGatewayPrice, remove: removeGatewayPrice } = prices
