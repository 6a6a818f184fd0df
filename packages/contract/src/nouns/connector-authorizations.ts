import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ConnectorAuthorization } from './connector-records.ts'
import { ConnectorParams, scope } from './connectors.ts'

export { ConnectorAuthorization }

const common = { tags: ['Connectors'] }
const one = '/v1/projects/{project_id}/connectors/{slug}'
const read = reachedBy({ capability: 'project.connector.read' })

const AuthorizationParams = ConnectorParams.extend({
  authorization_id: z.uuid().openapi({ description: 'The sign-in, by its id' }),
})

export const beginConnectorAuthorization = createRoute({
  ...common,
  ...read,
  operationId: 'beginConnectorAuthorization',
  summary: 'Begin a sign-in at the service of a connector, in place of storing a credential',
  description:
    'For `mcp` without `auth`, or with `bearer`. The issuer is found by RFC 9728 and RFC 8414, the platform registers there by RFC 7591 unless the manifest names `oauth.client_id`, and `authorization_url` asks for a code with PKCE for this service alone (RFC 8707). It is good for 10 minutes. 422 `issuer_not_usable` says why no sign-in can begin.',
  method: 'post',
  path: `${one}/authorizations`,
  request: {
    params: ConnectorParams,
    body: body(
      z
        .strictObject({
          scope: scope.optional(),
          label: text(100).min(1).optional(),
          connection_id: z.uuid().optional().openapi({
            description: 'A connection to sign in for anew, such as one that expired; a new one without it',
          }),
        })
        .openapi('BeginConnectorAuthorization', { example: examples.beginConnectorAuthorization }),
    ),
  },
  responses: { 201: json(ConnectorAuthorization, 'Begun'), ...refusals(400, 403, 404, 409, 415, 422) },
})

export const getConnectorAuthorization = createRoute({
  ...common,
  ...read,
  operationId: 'getConnectorAuthorization',
  summary: 'See how far a sign-in at a service is',
  description: 'Only the person who began it.',
  method: 'get',
  path: `${one}/authorizations/{authorization_id}`,
  request: { params: AuthorizationParams },
  responses: { 200: json(ConnectorAuthorization, 'The sign-in'), ...refusals(400, 403, 404) },
})

export const finishConnectorAuthorization = createRoute({
  ...common,
  ...read,
  operationId: 'finishConnectorAuthorization',
  summary: 'Finish a sign-in that the browser came back from: its code becomes the connection',
  description:
    'Only the person who began it, so that no account ends in the connection of another person. `status` is `connected`, or `failed` with the reason. 409 before the browser came back.',
  method: 'post',
  path: `${one}/authorizations/{authorization_id}/finish`,
  request: { params: AuthorizationParams },
  responses: { 200: json(ConnectorAuthorization, 'How it ended'), ...refusals(400, 403, 404, 409) },
})

const returned = (max: number, description: string) => text(max).optional().openapi({ description })

export const receiveConnectorAuthorization = createRoute({
  ...common,
  ...reachedBy({ public: true }),
  operationId: 'receiveConnectorAuthorization',
  summary: 'Where issuers send browsers back to after a sign-in at the service of a connector',
  description:
    'Keeps the code, sealed, under its one-use `state`, and sends the browser to the dashboard. 400 for a wrong, used or old state, and for an `iss` of another issuer (RFC 9207).',
  method: 'get',
  path: '/v1/connectors/oauth/callback',
  request: {
    query: z.object({
      state: text(512).min(1).openapi({ description: 'As the page of the issuer was opened with' }),
      code: returned(4096, 'Where the person agreed'),
      iss: returned(2048, 'The issuer that answers (RFC 9207)'),
      error: returned(256, 'Where they did not, or the issuer refused'),
      error_description: returned(2048, 'The issuer’s words on that'),
    }),
  },
  responses: { 303: { description: 'To the page of the connector' }, ...refusals(400) },
})
