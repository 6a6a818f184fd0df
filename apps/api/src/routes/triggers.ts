import { OpenAPIHono } from '@hono/zod-openapi'
import { triggers } from '@svc/contract'
import * as verbs from '@svc/services'
import type { Context } from 'hono'
import { refuseInvalid, type ValidationResult } from '../middleware/validation.ts'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

/**
 * A trigger may be named `activation` as well: a body with `paused`, or with nothing, is about all of them, any other about
 * that one.
 */
async function updateNamedActivation(
  result: ValidationResult & { readonly target: string },
  c: Context<AppEnv>,
) {
  if (result.success) return
  const body: unknown = result.target === 'json' ? await c.req.json().catch(() => null) : null
  const changes = triggers.UpdateTrigger.safeParse(body)
  if (!changes.success || Object.keys(changes.data).length === 0) return refuseInvalid(result, c)
  const place = triggers.TriggerParams.parse({ ...c.req.param(), slug: 'activation' })
  const answer = await verbs.updateTrigger(c.var.ctx, { ...place, changes: changes.data })
  return c.json(wire(answer), verbs.isProposed(answer) ? 202 : 200)
}

export function triggerRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(triggers.listTriggers, async (c) =>
    c.json(wire(await verbs.listTriggers(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(triggers.createTrigger, async (c) => {
    const { project_id } = c.req.valid('param')
    const answer = await verbs.createTrigger(c.var.ctx, { project_id, trigger: c.req.valid('json') })
    return verbs.isProposed(answer) ? c.json(wire(answer), 202) : c.json(wire(answer), 201)
  })
  app.openapi(
    triggers.setTriggerActivation,
    async (c) => {
      const input = { ...c.req.valid('json'), ...c.req.valid('param') }
      return c.json(await verbs.setTriggerActivation(c.var.ctx, input), 200)
    },
    updateNamedActivation,
  )
  app.openapi(triggers.getTrigger, async (c) =>
    c.json(wire(await verbs.getTrigger(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(triggers.updateTrigger, async (c) => {
    const input = { ...c.req.valid('param'), changes: c.req.valid('json') }
    const answer = await verbs.updateTrigger(c.var.ctx, input)
    return verbs.isProposed(answer) ? c.json(wire(answer), 202) : c.json(wire(answer), 200)
  })
  app.openapi(triggers.deleteTrigger, async (c) => {
    const answer = await verbs.deleteTrigger(c.var.ctx, c.req.valid('param'))
    return verbs.isProposed(answer) ? c.json(wire(answer), 202) : c.json(answer, 200)
  })
  app.openapi(triggers.fireTrigger, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.fireTrigger(c.var.ctx, input), 202)
  })
  app.openapi(triggers.previewTrigger, async (c) =>
    c.json(wire(await verbs.previewTrigger(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(triggers.listTriggerFires, async (c) => {
    const input = { ...c.req.valid('query'), ...c.req.valid('param') }
    return c.json(wire(await verbs.listTriggerFires(c.var.ctx, input)), 200)
  })
  app.openapi(triggers.replayTriggerFire, async (c) =>
    c.json(await verbs.replayTriggerFire(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(triggers.listTriggerDeliveries, async (c) => {
    const input = { ...c.req.valid('query'), ...c.req.valid('param') }
    return c.json(wire(await verbs.listTriggerDeliveries(c.var.ctx, input)), 200)
  })
  app.openapi(triggers.redeliverTrigger, async (c) =>
    c.json(await verbs.redeliverTrigger(c.var.ctx, c.req.valid('param')), 202),
  )
  return app
}
