import { OpenAPIHono } from '@hono/zod-openapi'
import { members, roles } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function memberRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(members.listMembers, async (c) =>
    c.json(await verbs.listMembers(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(members.updateMember, async (c) =>
    c.json(await verbs.updateMember(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(members.removeMember, async (c) => {
    await verbs.removeMember(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(members.listInvitations, async (c) =>
    c.json(await verbs.listInvitations(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(members.createInvitation, async (c) =>
    c.json(await verbs.createInvitation(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(members.revokeInvitation, async (c) => {
    await verbs.revokeInvitation(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(members.acceptInvitation, async (c) =>
    c.json(await verbs.acceptInvitation(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(members.listProjectMembers, async (c) =>
    c.json(await verbs.listProjectMembers(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(members.setProjectMember, async (c) =>
    c.json(await verbs.setProjectMember(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(members.removeProjectMember, async (c) => {
    await verbs.removeProjectMember(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(roles.listRoles, async (c) =>
    c.json(await verbs.listRoles(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(roles.createRole, async (c) =>
    c.json(await verbs.createRole(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(roles.updateRole, async (c) =>
    c.json(await verbs.updateRole(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(roles.deleteRole, async (c) => {
    await verbs.deleteRole(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(roles.listAssignments, async (c) =>
    c.json(await verbs.listAssignments(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}
