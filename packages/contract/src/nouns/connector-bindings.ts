import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ConnectorSlug } from '../kit/parameters.ts'
import { SessionParams } from './sessions.ts'
import { TriggerParams } from './triggers.ts'

const session = '/v1/projects/{project_id}/sessions/{session_id}/connectors'
const trigger = '/v1/projects/{project_id}/triggers/{slug}/bindings'

const Bindings = z
  .record(ConnectorSlug, z.strictObject({ connection_id: z.uuid() }))
  .openapi('ConnectorBindings', { description: 'Connections by the slugs of their connectors, up to 64' })
const Choice = z
  .strictObject({ connector_bindings: Bindings })
  .openapi('ChooseConnections', { example: examples.chooseConnections })

export const SessionConnectors = z
  .object({
    connector_bindings: Bindings,
    connectors: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        status: z.enum(['syncing', 'ready', 'needs_connection', 'error']).nullable().openapi({
          description: 'Null where the manifest does not declare it any more',
        }),
        connected: z.boolean(),
        connection: z
          .object({ connection_id: z.uuid(), label: z.string(), scope: z.enum(['project', 'personal']) })
          .nullable()
          .openapi({ description: 'The one that the next call takes: the chosen one, or a default' }),
        connect_url: z.string(),
      }),
    ),
  })
  .openapi('SessionConnectors')

export const TriggerBindings = z
  .object({ trigger: z.string(), connector_bindings: Bindings })
  .openapi('TriggerBindings')

export const getSessionConnectors = createRoute({
  tags: ['Connectors'],
  operationId: 'getSessionConnectors',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'Get the connectors of a session, and the connection that its next call of each takes',
  description: 'Never a value of one.',
  method: 'get',
  path: session,
  request: { params: SessionParams },
  responses: { 200: json(SessionConnectors, 'The connectors'), ...refusals(400, 403, 404) },
})

export const setSessionConnectors = createRoute({
  tags: ['Connectors'],
  operationId: 'setSessionConnectors',
  ...reachedBy({ capability: 'project.session.bindings.write' }),
  summary: 'Choose the connections of a session anew',
  description:
    'The next call takes them; connectors that are not named go back to a default. 400 `INVALID_SESSION_CONNECTOR_BINDINGS` for a connection that is not active, not of that connector, or another person’s; 409 `PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION` for one’s own in a shared session.',
  method: 'put',
  path: session,
  request: { params: SessionParams, body: body(Choice) },
  responses: { 200: json(SessionConnectors, 'As it is now'), ...refusals(400, 403, 404, 409, 415) },
})

export const getTriggerBindings = createRoute({
  tags: ['Triggers'],
  operationId: 'getTriggerBindings',
  ...reachedBy({ capability: 'project.trigger.read' }),
  summary: 'Get the connections that were chosen for the sessions of a trigger',
  description: 'Connectors that are not named work with the default of the project.',
  method: 'get',
  path: trigger,
  request: { params: TriggerParams },
  responses: { 200: json(TriggerBindings, 'The chosen connections'), ...refusals(400, 403, 404) },
})

export const setTriggerBindings = createRoute({
  tags: ['Triggers'],
  operationId: 'setTriggerBindings',
  ...reachedBy({ capability: 'project.trigger.update' }),
  summary: 'Choose the connections of a trigger’s sessions anew',
  description:
    'The next fire takes them. Needs `project.session.bindings.write` as well. Connections of the project alone: the words of a trigger come from others.',
  method: 'put',
  path: trigger,
  request: { params: TriggerParams, body: body(Choice) },
  responses: { 200: json(TriggerBindings, 'As it is now'), ...refusals(400, 403, 404, 415) },
})
