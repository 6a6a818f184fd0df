import { OpenAPIHono } from '@hono/zod-openapi'
import { triggers } from '@svc/contract'
import * as verbs from '@svc/services'
import type { Context, Next } from 'hono'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

/** A trigger may be named `activation` as well: what would change a trigger changes that one, any other body is about all of them. */
async function updateNamedActivation(c: Context<AppEnv>, next: Next): Promise<Response | void> {
  if (c.req.header('content-type')?.startsWith('application/json') !== true) return next()
  const changes = triggers.UpdateTrigger.safeParse(await c.req.json().catch(() => null))
  const place = triggers.TriggerParams.safeParse({ ...c.req.param(), slug: 'activation' })
  if (!changes.success || !place.success || Object.keys(changes.data).length === 0) return next()
  const answer = await verbs.updateTrigger(c.var.ctx, { ...place.data, changes: changes.data })
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
  app.patch(triggers.setTriggerActivation.getRoutingPath(), updateNamedActivation)
  app.openapi(triggers.setTriggerActivation, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.setTriggerActivation(c.var.ctx, input), 200)
  })
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
