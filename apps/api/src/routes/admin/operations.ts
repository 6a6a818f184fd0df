import { OpenAPIHono } from '@hono/zod-openapi'
import { operatedSandboxes, operatedSessions, overview, owedWork, platformProcesses } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { ApiParts, AppEnv } from '../../parts.ts'

export function overviewRoutes({ version, commit }: Pick<ApiParts, 'version' | 'commit'>) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(overview.getOverview, async (c) =>
    c.json(await verbs.getOverview(c.var.ctx, { version, commit }), 200),
  )
  app.openapi(platformProcesses.listProcesses, async (c) => c.json(await verbs.listProcesses(c.var.ctx), 200))
  app.openapi(platformProcesses.drainProcess, async (c) =>
    c.json(await verbs.drainProcess(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(platformProcesses.resumeProcess, async (c) =>
    c.json(await verbs.resumeProcess(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(platformProcesses.listMachines, async (c) => c.json(await verbs.listMachines(c.var.ctx), 200))
  app.openapi(platformProcesses.drainMachine, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.drainMachine(c.var.ctx, input), 202)
  })
  app.openapi(platformProcesses.resumeMachine, async (c) =>
    c.json(await verbs.resumeMachine(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}

export function owedWorkRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(owedWork.listOwedWork, async (c) =>
    c.json(await verbs.listOwedWork(c.var.ctx, c.req.valid('query')), 200),
  )
  app.openapi(owedWork.runWork, async (c) =>
    c.json(await verbs.runWork(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(operatedSandboxes.listSandboxes, async (c) =>
    c.json(await verbs.listSandboxes(c.var.ctx, c.req.valid('query')), 200),
  )
  app.openapi(operatedSandboxes.stopSandbox, async (c) =>
    c.json(await verbs.stopSandboxOf(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(operatedSessions.listAllSessions, async (c) =>
    c.json(await verbs.listAllSessions(c.var.ctx, c.req.valid('query')), 200),
  )
  app.openapi(operatedSessions.rerunSession, async (c) =>
    c.json(await verbs.rerunSession(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 202),
  )
  return app
}
