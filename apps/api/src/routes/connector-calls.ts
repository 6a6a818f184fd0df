import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/connectors'
import { connectorCalls } from '@svc/contract'
import type { AppEnv } from '../parts.ts'
import { type ConnectorParts, connectorParts } from './connector-parts.ts'
import { whenAnswered } from './when-answered.ts'

const standardWait = 20

export function connectorCallRoutes(given: ConnectorParts) {
  const parts = connectorParts(given)
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(connectorCalls.searchConnectorTools, async (c) =>
    c.json(await verbs.searchTools(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(connectorCalls.createConnectorCall, async (c) => {
    const { args = {}, wait_seconds = standardWait, ...asked } = c.req.valid('json')
    const outcome = await verbs.callConnector(
      { ...c.var.ctx, ...parts, when_answered: whenAnswered(c) },
      { ...asked, ...c.req.valid('param'), args, wait_seconds, door: 'rest' },
    )
    switch (verbs.httpStatusOf(outcome)) {
      case 200:
        return c.json(outcome, 200)
      case 202:
        return c.json(outcome, 202)
      case 400:
        return c.json(outcome, 400)
      case 403:
        return c.json(outcome, 403)
      case 404:
        return c.json(outcome, 404)
      case 413:
        return c.json(outcome, 413)
      case 502:
        return c.json(outcome, 502)
      case 504:
        return c.json(outcome, 504)
    }
  })
  app.openapi(connectorCalls.listConnectorCalls, async (c) =>
    c.json(await verbs.listCalls(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(connectorCalls.getConnectorCall, async (c) => {
    const { wait_seconds = 0 } = c.req.valid('query')
    const { outcome, call } = await verbs.getCall(
      { ...c.var.ctx, ...parts, when_answered: whenAnswered(c) },
      { ...c.req.valid('param'), wait_seconds },
    )
    return c.json({ ...outcome, call }, 200)
  })
  app.openapi(connectorCalls.cancelConnectorCall, async (c) =>
    c.json(await verbs.cancelCall({ ...c.var.ctx, ...parts }, c.req.valid('param')), 200),
  )
  app.openapi(connectorCalls.settleConnectorCall, async (c) =>
    c.json(
      await verbs.settleCall({ ...c.var.ctx, ...parts }, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(connectorCalls.listApprovals, async (c) =>
    c.json(await verbs.listApprovals(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(connectorCalls.getApproval, async (c) =>
    c.json(await verbs.getApproval(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(connectorCalls.decideApproval, async (c) =>
    c.json(
      await verbs.decideApproval(
        { ...c.var.ctx, ...parts },
        { ...c.req.valid('json'), ...c.req.valid('param') },
      ),
      200,
    ),
  )
  return app
}
