import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, FreeObject, json, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ConnectorSlug, ProjectId } from '../kit/parameters.ts'
import { TriggerProposal } from './trigger-records.ts'
import { Connection, Connector, ConnectorActionItem, ConnectorList, PolicyTest } from './connector-records.ts'

export { Connection, Connector, ConnectorActionItem, ConnectorList, PolicyTest }

const common = { tags: ['Connectors'] }
const base = '/v1/projects/{project_id}/connectors'
const one = `${base}/{slug}`

export const ConnectorParams = z.object({ project_id: ProjectId, slug: ConnectorSlug })
const ConnectionParams = ConnectorParams.extend({
  connection_id: z.uuid().openapi({ description: 'The connection, by its id' }),
})
const read = reachedBy({ capability: 'project.connector.read' })
const write = reachedBy({ capability: 'project.connector.write' })
const args = FreeObject
const credential = z.record(z.string().max(64), text(64 * 1024)).openapi({
  description: 'The fields of its auth type, by their names; sealed, and never read back',
})
export const scope = z.enum(['project', 'personal']).openapi({
  description: 'Whose it is: the project’s, which needs `project.connector.connections.manage`, or your own',
})

export const listConnectors = createRoute({
  ...common,
  ...read,
  operationId: 'listConnectors',
  summary: 'List the connectors of the default branch, with their state',
  description: 'One whose actions cannot be read is in `errors` as well, with the reason.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: {
    200: json(ConnectorList, 'The connectors, in the order of the manifest'),
    ...refusals(400, 403, 404),
  },
})

export const getConnector = createRoute({
  ...common,
  ...read,
  operationId: 'getConnector',
  summary: 'Get a connector: its provider, its state, its rules and the connection that would be used',
  description:
    '`status` is `needs_connection` until one is there that it cannot do without, and `error` when its actions could not be read.',
  method: 'get',
  path: one,
  request: { params: ConnectorParams },
  responses: { 200: json(Connector, 'The connector'), ...refusals(400, 403, 404) },
})

const anyValues = FreeObject
const words = text(2048).optional()
/** An entry of `connectors`; the manifest's own rules say what is right in it. */
const Entry = z.strictObject({
  ...{ slug: ConnectorSlug, provider: text(32).min(1), name: words, app: words, url: words },
  ...{ endpoint: words, base_url: words, transport: words, spec: words, platform: words },
  ...{ credential: words, authorization_strategy: words, default_action: words, idempotency_header: words },
  ...{ auth: anyValues.optional(), headers: anyValues.optional(), oauth: anyValues.optional() },
  policies: z.array(anyValues).max(200).optional(),
  timeout_seconds: z.int().optional(),
  inline: z.boolean().optional(),
})

const proposed = json(
  TriggerProposal,
  'A session asked for it: the edit waits in a change request for a person',
)
const Committed = z.object({ connector: Connector, commit_sha: z.string() }).openapi('CommittedConnector', {
  description: 'The connector, and the tip of the default branch that has the edit',
})

export const createConnector = createRoute({
  ...common,
  ...write,
  operationId: 'createConnector',
  summary: 'Commit a new connector to the manifest on the default branch',
  description:
    'The body is an entry of `connectors` as `svc.yaml` has it. Comments and the order of the file stay. 409 when the slug is taken, 400 with `issues` when the entry is not valid.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(Entry.openapi('CreateConnector', { example: examples.createConnector })),
  },
  responses: { 201: json(Committed, 'Committed'), 202: proposed, ...refusals(400, 403, 404, 409, 415, 422) },
})

export const deleteConnector = createRoute({
  ...common,
  ...write,
  operationId: 'deleteConnector',
  summary: 'Take a connector out of the manifest on the default branch',
  description: 'Its connections and the ledger of its calls stay; nothing is called with them any more.',
  method: 'delete',
  path: one,
  request: { params: ConnectorParams },
  responses: {
    200: json(Committed, 'Committed: the connector as it was'),
    202: proposed,
    ...refusals(400, 403, 404, 409, 422),
  },
})

export const listConnectorActions = createRoute({
  ...common,
  ...read,
  operationId: 'listConnectorActions',
  summary: 'List the actions of a connector with what would become of a call of each',
  description: 'Blocked ones are here too, marked `hidden` where no arguments could let them through.',
  method: 'get',
  path: `${one}/actions`,
  request: {
    params: ConnectorParams,
    query: z.object({ query: text(256).optional().openapi({ description: 'Words to search for' }) }),
  },
  responses: {
    200: json(
      z.object({ actions: z.array(ConnectorActionItem), next_cursor: z.string().nullable() }),
      'The actions',
    ),
    ...refusals(400, 403, 404),
  },
})

export const syncConnector = createRoute({
  ...common,
  ...write,
  operationId: 'syncConnector',
  summary: 'Read the actions of a connector from its service anew',
  description:
    'They are read daily by themselves, and when something is connected. What cannot be read stands in `error` of the answer; the actions that were there stay. 202 after 20 seconds: the reading goes on.',
  method: 'post',
  path: `${one}/sync`,
  request: { params: ConnectorParams },
  responses: {
    200: json(Connector, 'The connector as it is now'),
    202: json(Connector, 'The connector as it was: its service has not answered yet'),
    ...refusals(400, 403, 404),
  },
})

export const acceptConnectorActions = createRoute({
  ...common,
  ...write,
  operationId: 'acceptConnectorActions',
  summary: 'Say that you looked at what changed of a connector’s actions',
  description:
    'An action that says something else than when it was accepted asks for an approval, whatever rule lets it run, until then. 409 `CATALOGUE_STALE` when `catalogue_digest` is not of the actions as they are now.',
  method: 'post',
  path: `${one}/actions/accept`,
  request: {
    params: ConnectorParams,
    body: body(
      z
        .strictObject({
          catalogue_digest: text(64).min(1),
          actions: z.array(text(256)).max(5000).optional(),
        })
        .openapi('AcceptConnectorActions', { example: examples.acceptConnectorActions }),
    ),
  },
  responses: { 200: json(Connector, 'The connector'), ...refusals(400, 403, 404, 409, 415) },
})

export const testConnectorPolicy = createRoute({
  ...common,
  ...read,
  operationId: 'testConnectorPolicy',
  summary: 'Ask what would become of a connector call, which rule says so, and why',
  description: 'Calls nothing.',
  method: 'post',
  path: `${one}/policies/test`,
  request: {
    params: ConnectorParams,
    body: body(
      z
        .strictObject({ action: text(256).min(1), args: args.optional() })
        .openapi('TestConnectorPolicy', { example: examples.testConnectorPolicy }),
    ),
  },
  responses: { 200: json(PolicyTest, 'The decision'), ...refusals(400, 403, 404, 415) },
})

export const listConnections = createRoute({
  ...common,
  ...read,
  operationId: 'listConnections',
  summary: 'List the connections of a connector: the project’s and your own',
  description: 'Never a value of one.',
  method: 'get',
  path: `${one}/connections`,
  request: { params: ConnectorParams },
  responses: {
    200: json(z.object({ connections: z.array(Connection) }), 'The connections'),
    ...refusals(400, 403, 404),
  },
})

export const createConnection = createRoute({
  ...common,
  ...read,
  operationId: 'createConnection',
  summary: 'Connect a connector with a credential',
  description:
    'Sealed at once and used by the platform alone: no sandbox and no answer holds it. It is sent to the address that the connector names now, and to no other. Fields that its auth type does not have, or lacks, are 400 by name.',
  method: 'post',
  path: `${one}/connections`,
  request: {
    params: ConnectorParams,
    body: body(
      z
        .strictObject({
          scope: scope.optional(),
          label: text(100).min(1).optional(),
          credential,
          default: z.boolean().optional(),
        })
        .openapi('CreateConnection', { example: examples.createConnection }),
    ),
  },
  responses: { 201: json(Connection, 'Connected'), ...refusals(400, 403, 404, 409, 415) },
})

export const updateConnection = createRoute({
  ...common,
  ...read,
  operationId: 'updateConnection',
  summary: 'Rename a connection, replace its credential, or make it the default',
  description:
    'A new credential is sealed for the address that the connector names now. The default is the one that calls are made with which name none.',
  method: 'patch',
  path: `${one}/connections/{connection_id}`,
  request: {
    params: ConnectionParams,
    body: body(
      z
        .strictObject({
          label: text(100).min(1).optional(),
          credential: credential.optional(),
          default: z.literal(true).optional(),
        })
        .openapi('UpdateConnection', { example: examples.updateConnection }),
    ),
  },
  responses: { 200: json(Connection, 'The connection'), ...refusals(400, 403, 404, 409, 415) },
})

export const deleteConnection = createRoute({
  ...common,
  ...read,
  operationId: 'deleteConnection',
  summary: 'Disconnect: forget the credential of a connection',
  description:
    'Calls that would use it answer `connector_not_connected` from then on, also those that were approved and have not run.',
  method: 'delete',
  path: `${one}/connections/{connection_id}`,
  request: { params: ConnectionParams },
  responses: { 200: json(Connection, 'As it was, and `revoked`'), ...refusals(400, 403, 404) },
})

export const testConnection = createRoute({
  ...common,
  ...read,
  operationId: 'testConnection',
  summary: 'Try whether a connection works, without changing anything',
  description:
    'Reads the list of actions with it, in at most 15 seconds; `reason` and `message` say why it does not work.',
  method: 'post',
  path: `${one}/connections/{connection_id}/test`,
  request: { params: ConnectionParams },
  responses: {
    200: json(
      z
        .object({
          ok: z.boolean(),
          reason: z.string().optional(),
          message: z.string().optional(),
          ms: z.int(),
        })
        .openapi('ConnectionTest'),
      'Whether it works',
    ),
    ...refusals(400, 403, 404),
  },
})
