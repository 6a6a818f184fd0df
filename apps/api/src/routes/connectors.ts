import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/connectors'
import { connectorAuthorizations, connectorBindings, connectors } from '@svc/contract'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'
import { type ConnectorParts, connectorParts } from './connector-parts.ts'

export function connectorRoutes(given: ConnectorParts) {
  const parts = connectorParts(given)
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(connectors.listConnectors, async (c) =>
    c.json(await verbs.listConnectors(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectors.getConnector, async (c) =>
    c.json(await verbs.getConnector(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectors.createConnector, async (c) => {
    const { project_id } = c.req.valid('param')
    const input = { project_id, connector: c.req.valid('json') }
    const answer = await verbs.createConnector({ ...c.var.ctx, ...parts }, input)
    return 'status' in answer ? c.json(wire(answer), 202) : c.json(answer, 201)
  })
  app.openapi(connectors.deleteConnector, async (c) => {
    const answer = await verbs.deleteConnector({ ...c.var.ctx, ...parts }, c.req.valid('param'))
    return 'status' in answer ? c.json(wire(answer), 202) : c.json(answer, 200)
  })
  app.openapi(connectors.listConnectorActions, async (c) =>
    c.json(await verbs.listActions(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(connectors.syncConnector, async (c) => {
    const { connector, is_read } = await verbs.syncActions({ ...c.var.ctx, ...parts }, c.req.valid('param'))
    return c.json(connector, is_read ? 200 : 202)
  })
  app.openapi(connectors.acceptConnectorActions, async (c) =>
    c.json(
      await verbs.acceptActions(
        { ...c.var.ctx, ...parts },
        { ...c.req.valid('json'), ...c.req.valid('param') },
      ),
      200,
    ),
  )
  app.openapi(connectors.testConnectorPolicy, async (c) =>
    c.json(await verbs.testPolicy(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(connectors.listConnections, async (c) =>
    c.json(await verbs.listConnections(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectors.createConnection, async (c) =>
    c.json(
      await verbs.createConnection(
        { ...c.var.ctx, ...parts },
        { ...c.req.valid('json'), ...c.req.valid('param') },
      ),
      201,
    ),
  )
  app.openapi(connectors.updateConnection, async (c) =>
    c.json(
      await verbs.updateConnection(
        { ...c.var.ctx, ...parts },
        { ...c.req.valid('json'), ...c.req.valid('param') },
      ),
      200,
    ),
  )
  app.openapi(connectors.deleteConnection, async (c) =>
    c.json(await verbs.deleteConnection({ ...c.var.ctx, ...parts }, c.req.valid('param')), 200),
  )
  app.openapi(connectors.testConnection, async (c) =>
    c.json(await verbs.testConnection({ ...c.var.ctx, ...parts }, c.req.valid('param')), 200),
  )
  app.openapi(connectorAuthorizations.beginConnectorAuthorization, async (c) =>
    c.json(
      await verbs.beginAuthorization(
        { ...c.var.ctx, ...parts },
        { ...c.req.valid('json'), ...c.req.valid('param') },
      ),
      201,
    ),
  )
  app.openapi(connectorAuthorizations.getConnectorAuthorization, async (c) =>
    c.json(await verbs.getAuthorization(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectorAuthorizations.finishConnectorAuthorization, async (c) =>
    c.json(await verbs.finishAuthorization({ ...c.var.ctx, ...parts }, c.req.valid('param')), 200),
  )
  app.openapi(connectorAuthorizations.receiveConnectorAuthorization, async (c) => {
    const { url } = await verbs.receiveAuthorization(c.var.ctx, c.req.valid('query'))
    return c.redirect(url, 303)
  })
  app.openapi(connectorBindings.getSessionConnectors, async (c) =>
    c.json(await verbs.getSessionConnectors(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectorBindings.setSessionConnectors, async (c) =>
    c.json(
      await verbs.setSessionConnectors(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(connectorBindings.getTriggerBindings, async (c) =>
    c.json(await verbs.getTriggerBindings(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectorBindings.setTriggerBindings, async (c) =>
    c.json(
      await verbs.setTriggerBindings(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  return app
}
