import { OpenAPIHono } from '@hono/zod-openapi'
import { gatewayMoney } from '@svc/contract'
import type { ProjectRow } from '@svc/db'
import { secretTexts } from '@svc/services'
import * as verbs from '@svc/spend'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'
import { answerSpend } from './spend-answer.ts'

/** Budgets, spend and the log of model calls of a project. */
export function projectMoneyRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(gatewayMoney.listGatewayBudgets, async (c) =>
    c.json(wire(await verbs.listBudgets(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(gatewayMoney.createGatewayBudget, async (c) =>
    c.json(wire(await verbs.createBudget(c.var.ctx, c.req.valid('param'), c.req.valid('json'))), 201),
  )
  app.openapi(gatewayMoney.updateGatewayBudget, async (c) => {
    const { budget_id, ...place } = c.req.valid('param')
    return c.json(wire(await verbs.updateBudget(c.var.ctx, place, budget_id, c.req.valid('json'))), 200)
  })
  app.openapi(gatewayMoney.deleteGatewayBudget, async (c) => {
    const { budget_id, ...place } = c.req.valid('param')
    await verbs.deleteBudget(c.var.ctx, place, budget_id)
    return c.body(null, 204)
  })
  app.openapi(gatewayMoney.listGatewayCalls, async (c) =>
    c.json(wire(await verbs.listCalls(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })), 200),
  )
  app.openapi(gatewayMoney.getGatewayCall, async (c) => {
    const { ctx } = c.var
    const reading = { ...ctx, secretTexts: (project: ProjectRow) => secretTexts(ctx, project) }
    return c.json(wire(await verbs.getCall(reading, c.req.valid('param'))), 200)
  })
  app.openapi(gatewayMoney.getGatewaySpend, (c) =>
    answerSpend(c, c.req.valid('param'), c.req.valid('query'), c.req.valid('header').accept),
  )
  return app
}
