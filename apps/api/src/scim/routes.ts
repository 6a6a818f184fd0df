import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import * as verbs from '@svc/identity'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { bodyLimit } from '../middleware/body-limit.ts'
import { deadline } from '../middleware/deadline.ts'
import { maintenanceGate } from '../middleware/maintenance.ts'
import { addressLimit, tokenLimit } from '../middleware/rate-limit.ts'
import { refusedCredentials } from '../middleware/refused-credentials.ts'
import { requestContext } from '../middleware/request-context.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { answerOne, answerStored, scimJson } from './answer.ts'
import { audited } from './audited.ts'
import { directoryAuthentication } from './authentication.ts'
import { readBody } from './body.ts'
import { scimError } from './error.ts'
import { suspensionGate } from './suspension.ts'

type Handler = (c: Context<AppEnv>) => Promise<Response>

const base = '/scim/v2/accounts/:account_id'
const users = { definition: verbs.scimUserDefinition }
const groups = { definition: verbs.scimGroupDefinition }

/** SCIM 2.0 (RFC 7644) for one account. */
export function scimRoutes(parts: ApiParts, limited: RequestLimits) {
  const app = new Hono<AppEnv>()
  app.use(
    '/scim/*',
    addressLimit(limited, parts),
    refusedCredentials(parts, () => undefined),
    directoryAuthentication(parts),
    tokenLimit(limited),
    requestContext(parts),
    maintenanceGate(),
    suspensionGate(),
    deadline(parts.deadline_ms ?? limits.requestDeadlineMs),
    bodyLimit(),
  )
  for (const [method, path, action, handler] of routes) app.on(method, base + path, audited(action), handler)
  return app
}

const routes: readonly (readonly [method: string, path: string, action: string, handler: Handler])[] = [
  [
    'GET',
    '/ServiceProviderConfig',
    'describeDirectory',
    async (c) => scimJson(c, (await describe(c)).config),
  ],
  [
    'GET',
    '/ResourceTypes',
    'describeDirectory',
    async (c) => discovered(await describe(c), 'resource_types', c),
  ],
  [
    'GET',
    '/ResourceTypes/:id',
    'describeDirectory',
    async (c) => discovered(await describe(c), 'resource_types', c),
  ],
  ['GET', '/Schemas', 'describeDirectory', async (c) => discovered(await describe(c), 'schemas', c)],
  ['GET', '/Schemas/:id', 'describeDirectory', async (c) => discovered(await describe(c), 'schemas', c)],

  [
    'GET',
    '/Users',
    'listScimUsers',
    async (c) => scimJson(c, await verbs.listScimUsers(c.var.ctx, { ...account(c), query: listQuery(c) })),
  ],
  [
    'POST',
    '/Users',
    'createScimUser',
    async (c) => {
      const input = { ...account(c), body: await readBody(c) }
      return answerStored(c, await verbs.createScimUser(c.var.ctx, input), users, 201)
    },
  ],
  [
    'GET',
    '/Users/:id',
    'getScimUser',
    async (c) => answerOne(c, await verbs.getScimUser(c.var.ctx, user(c)), users),
  ],
  [
    'PUT',
    '/Users/:id',
    'replaceScimUser',
    async (c) => {
      const input = { ...user(c), ...ifMatch(c), body: await readBody(c) }
      return answerStored(c, await verbs.replaceScimUser(c.var.ctx, input), users, 200)
    },
  ],
  [
    'PATCH',
    '/Users/:id',
    'patchScimUser',
    async (c) => {
      const input = { ...user(c), ...ifMatch(c), body: await readBody(c) }
      return answerStored(c, await verbs.patchScimUser(c.var.ctx, input), users, 200)
    },
  ],
  [
    'DELETE',
    '/Users/:id',
    'deleteScimUser',
    async (c) => {
      await verbs.deleteScimUser(c.var.ctx, { ...user(c), ...ifMatch(c) })
      return c.body(null, 204)
    },
  ],

  [
    'GET',
    '/Groups',
    'listScimGroups',
    async (c) => scimJson(c, await verbs.listScimGroups(c.var.ctx, { ...account(c), query: listQuery(c) })),
  ],
  [
    'POST',
    '/Groups',
    'createScimGroup',
    async (c) => {
      const input = { ...account(c), body: await readBody(c) }
      return answerStored(c, await verbs.createScimGroup(c.var.ctx, input), groups, 201)
    },
  ],
  [
    'GET',
    '/Groups/:id',
    'getScimGroup',
    async (c) => {
      const input = { ...group(c), selection: listQuery(c) }
      return answerOne(c, await verbs.getScimGroup(c.var.ctx, input), groups)
    },
  ],
  [
    'PUT',
    '/Groups/:id',
    'replaceScimGroup',
    async (c) => {
      const input = { ...group(c), ...ifMatch(c), body: await readBody(c) }
      return answerStored(c, await verbs.replaceScimGroup(c.var.ctx, input), groups, 200)
    },
  ],
  [
    'PATCH',
    '/Groups/:id',
    'patchScimGroup',
    async (c) => {
      const input = { ...group(c), ...ifMatch(c), body: await readBody(c) }
      return answerStored(c, await verbs.patchScimGroup(c.var.ctx, input), groups, 200)
    },
  ],
  [
    'DELETE',
    '/Groups/:id',
    'deleteScimGroup',
    async (c) => {
      await verbs.deleteScimGroup(c.var.ctx, { ...group(c), ...ifMatch(c) })
      return c.body(null, 204)
    },
  ],

  ['GET', '/Me', 'getScimMe', async (c) => unsupported(c, '/Me')],
  ['POST', '/Bulk', 'scimBulk', async (c) => unsupported(c, 'Bulk')],
]

/** Optional in the RFC, and said to be missing with the status that it wants. */
function unsupported(c: Context<AppEnv>, what: string): Response {
  return scimJson(c, scimError(501, `${what} is not supported`), 501)
}

function describe(c: Context<AppEnv>) {
  return verbs.describeDirectory(c.var.ctx, account(c))
}

function discovered(
  directory: Awaited<ReturnType<typeof describe>>,
  kind: 'resource_types' | 'schemas',
  c: Context<AppEnv>,
): Response {
  // A filter here must be refused (RFC 7644 section 4).
  if (c.req.query('filter') !== undefined)
    throw new ServiceError('forbidden', 'This list takes no filter; ask for it without one')
  const id = c.req.param('id')
  if (id === undefined) return scimJson(c, directory.list(directory[kind]))
  const found = directory[kind].find((one) => one['id'] === id)
  if (!found) throw new ServiceError('not_found', 'There is no such description; list them without an id')
  return scimJson(c, found)
}

/** Every id is one of ours; a text that cannot be one is not found. */
function idOf(c: Context<AppEnv>, name: 'account_id' | 'id'): string {
  const read = z.uuid().safeParse(c.req.param(name))
  if (read.success) return read.data
  throw new ServiceError(
    'not_found',
    name === 'id'
      ? 'There is no such resource; its id is the one that the list of its kind has'
      : 'There is no such account; list those that you belong to',
  )
}

const account = (c: Context<AppEnv>) => ({ account_id: idOf(c, 'account_id') })
const user = (c: Context<AppEnv>) => ({ ...account(c), user_id: idOf(c, 'id') })
const group = (c: Context<AppEnv>) => ({ ...account(c), group_id: idOf(c, 'id') })
const listQuery = (c: Context<AppEnv>) => verbs.readListQuery(c.req.query())
const ifMatch = (c: Context<AppEnv>) => ({ if_match: c.req.header('If-Match') })
