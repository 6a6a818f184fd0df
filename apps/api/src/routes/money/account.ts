import { OpenAPIHono } from '@hono/zod-openapi'
import { accountMoney } from '@svc/contract'
import * as verbs from '@svc/spend'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'
import { answerSpend } from './spend-answer.ts'

/** Budgets, spend and credit of an account. */
export function accountMoneyRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(accountMoney.listAccountGatewayBudgets, async (c) =>
    c.json(wire(await verbs.listBudgets(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(accountMoney.createAccountGatewayBudget, async (c) =>
    c.json(wire(await verbs.createBudget(c.var.ctx, c.req.valid('param'), c.req.valid('json'))), 201),
  )
  app.openapi(accountMoney.updateAccountGatewayBudget, async (c) => {
    const { budget_id, ...place } = c.req.valid('param')
    return c.json(wire(await verbs.updateBudget(c.var.ctx, place, budget_id, c.req.valid('json'))), 200)
  })
  app.openapi(accountMoney.deleteAccountGatewayBudget, async (c) => {
    const { budget_id, ...place } = c.req.valid('param')
    await verbs.deleteBudget(c.var.ctx, place, budget_id)
    return c.body(null, 204)
  })
  app.openapi(accountMoney.getAccountGatewaySpend, (c) =>
    answerSpend(c, c.req.valid('param'), c.req.valid('query'), c.req.valid('header').accept),
  )
  app.openapi(accountMoney.getBilling, async (c) =>
    c.json(wire(await verbs.getBilling(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(accountMoney.listCreditLedger, async (c) => {
    const input = { ...c.req.valid('query'), ...c.req.valid('param') }
    return c.json(wire(await verbs.listCreditLedger(c.var.ctx, input)), 200)
  })
  return app
}
