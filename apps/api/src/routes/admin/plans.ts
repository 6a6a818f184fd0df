import { OpenAPIHono } from '@hono/zod-openapi'
import { plans } from '@svc/contract'
import * as verbs from '@svc/spend'
import type { AppEnv } from '../../parts.ts'
import { answerSpend } from '../money/spend-answer.ts'
import { wire } from '../wire.ts'

export function planRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(plans.listPlans, async (c) => c.json(wire(await verbs.listPlans(c.var.ctx)), 200))
  app.openapi(plans.putPlan, async (c) => {
    const plan = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.putPlan(c.var.ctx, plan)), 200)
  })
  app.openapi(plans.deletePlan, async (c) => {
    await verbs.deletePlan(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(plans.addCredit, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    const { created, entry } = await verbs.addCredit(c.var.ctx, input)
    return created ? c.json(wire(entry), 201) : c.json(wire(entry), 200)
  })
  app.openapi(plans.getPlatformGatewaySpend, (c) =>
    answerSpend(c, { platform: true }, c.req.valid('query'), c.req.valid('header').accept),
  )
  return app
}
