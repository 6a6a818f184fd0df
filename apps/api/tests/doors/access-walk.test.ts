import { randomBytes } from 'node:crypto'
import { type AccessRule, type ProjectRole, roleHolds } from '@svc/access'
import * as contract from '@svc/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  grantTo,
  hashOf,
  mint,
  mintForApp,
  mintSignIn,
  newSecret,
} from '../support/credentials.ts'
import { fillIn, type Ids, makeObjects } from '../support/objects.ts'
import { validBodies } from '../support/bodies.ts'
import { queryOf } from '../support/operations.ts'
import type { Answer } from '../support/platform.ts'
import { published, stated } from '../support/served-routes.ts'
import { openWorld } from '../support/world.ts'
import { expectRefusal } from './expect-refusal.ts'

const { accessRule, adminOperations, oauthProtocol } = contract
/** Of both documents: the public one, and the operator's. */
const operations = [...contract.operations, ...adminOperations]

type Operation = contract.Operation

/** The statuses by which a credential may be answered on a route of this rule; null where it may pass. */
type Expected = (rule: AccessRule) => readonly number[] | null

interface Credential {
  readonly name: string
  readonly token: string | undefined
  readonly expected: Expected
}

const { platform, account_id } = await openWorld()
let mine: Ids
let theirs: Ids
/** A sign-in of the owner, for what no key may do. */
let inPerson: string
let credentials: readonly Credential[]

const always =
  (...statuses: number[]): Expected =>
  () =>
    statuses
const unauthorized = always(401)

/** A user token: its own person's routes are open to it, accounts and projects only with a role. */
function person(account: readonly number[] | null, role: ProjectRole | null, hidden: number): Expected {
  return (rule) => {
    if ('capability' in rule)
      return role !== null && roleHolds(role, rule.capability) ? null : [role === null ? hidden : 403]
    if ('account_role' in rule)
      return rule.account_role === 'member' && account === null ? null : (account ?? [403])
    return 'sandbox_key' in rule || 'platform_admin' in rule ? [403] : null
  }
}

/** The answers for a credential that acts on projects alone. */
function bound(capability: readonly number[]): Expected {
  return (rule) => ('capability' in rule ? capability : 'any_actor' in rule ? null : [403])
}

beforeAll(async () => {
  const { db } = platform.parts
  const { owner } = platform
  mine = await makeObjects(platform, owner, account_id)
  const stranger = await platform.stranger()
  const foreign = (await platform.call('/v1/accounts/me', { token: stranger.token })).pick('account_id')
  theirs = await makeObjects(platform, stranger, foreign)

  const { project_id = '', session_id = '', service_account_id: robot = '' } = mine
  const { user_id } = owner
  const past = new Date(Date.now() - 1000)
  inPerson = (await mintSignIn(db, { user_id, mfa: true })).access
  const other = await makeObjects(platform, owner, account_id)
  const gone = await makeObjects(platform, owner, account_id)
  const ofSession = { kind: 'session' as const, user_id, project_id, session_id }
  const elsewhere = { user_id, project_id: other['project_id'] ?? '', session_id: other['session_id'] ?? '' }
  const closed = { user_id, project_id: gone['project_id'] ?? '', session_id: gone['session_id'] ?? '' }
  const outsider = await addPerson(db, account_id, 'member')
  const viewer = await addPerson(db, account_id, 'member')
  await db
    .insertInto('project_members')
    .values({ project_id, user_id: viewer.user_id, role: 'viewer', created_at: past })
    .execute()
  await grantTo(db, session_id, [])
  await db.updateTable('accounts').set({ mfa_required: true }).where('account_id', '=', account_id).execute()
  const sandboxKey = async (of: string) => {
    const token = newSecret('svc_sbx_')
    const service_key_hash = hashOf(token)
    await db.updateTable('session_sandboxes').set({ service_key_hash }).where('session_id', '=', of).execute()
    return token
  }
  const token = async (...args: Parameters<typeof mint> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await mint(db, ...args)).token
  const closedToken = await token({ kind: 'session', ...closed })
  await platform.call(`/v1/projects/${closed.project_id}/sessions/${closed.session_id}`, {
    method: 'DELETE',
    token: owner.token,
  })
  credentials = [
    { name: 'no token', token: undefined, expected: unauthorized },
    { name: 'a malformed token', token: 'svc_pat_nonsense', expected: unauthorized },
    { name: 'a token of nobody', token: newSecret('svc_pat_'), expected: unauthorized },
    { name: 'a token kind that signs nobody in', token: newSecret('svc_ort_'), expected: unauthorized },
    {
      name: 'a revoked user token',
      token: await token({ kind: 'user', user_id, revoked_at: past }),
      expected: unauthorized,
    },
    {
      name: 'an expired user token',
      token: await token({ kind: 'user', user_id, expires_at: past }),
      expected: unauthorized,
    },
    {
      name: 'a revoked session token',
      token: await token({ ...ofSession, revoked_at: past }),
      expected: unauthorized,
    },
    { name: 'the token of a deleted session', token: closedToken, expected: unauthorized },
    {
      name: 'a revoked service account key',
      token: await token({ kind: 'service', user_id: robot, account_id, revoked_at: past }, 'svc_sa_'),
      expected: unauthorized,
    },
    {
      name: 'the refresh token of a sign-in',
      token: (await mintSignIn(db, { user_id })).refresh,
      expected: unauthorized,
    },
    {
      name: 'a revoked sign-in',
      token: (await mintSignIn(db, { user_id, ended_at: past })).access,
      expected: unauthorized,
    },
    {
      name: 'an expired sign-in',
      token: (await mintSignIn(db, { user_id, expires_at: past })).access,
      expected: unauthorized,
    },
    {
      name: 'a sign-in that lacks the second factor',
      token: (await mintSignIn(db, { user_id })).access,
      // No account asks anything of a sign-in to the operator's surface.
      expected: (rule) =>
        'any_person' in rule || 'any_actor' in rule || 'platform_admin' in rule ? null : [403],
    },
    { name: 'a user of another account', token: stranger.token, expected: person([404], null, 404) },
    { name: 'a member without a role', token: outsider.token, expected: person(null, null, 404) },
    { name: 'a viewer', token: viewer.token, expected: person(null, 'viewer', 404) },
    {
      name: 'a project token of another project',
      token: await token({ kind: 'project', user_id, project_id: elsewhere.project_id }),
      expected: bound([403]),
    },
    {
      name: 'the token of a session of another project',
      token: await token({ kind: 'session', ...elsewhere }),
      expected: bound([403]),
    },
    {
      name: 'the token of a session that is granted nothing',
      token: await token(ofSession),
      expected: bound([403]),
    },
    {
      name: 'a gateway key',
      token: await token({ kind: 'gateway', user_id, project_id }, 'svc_gw_'),
      expected: always(403),
    },
    {
      name: 'the token of a directory',
      token: await token({ kind: 'scim', user_id, account_id }, 'svc_scim_'),
      expected: unauthorized,
    },
    {
      name: 'the sandbox key of a session of another project',
      token: await sandboxKey(elsewhere.session_id),
      expected: always(403),
    },
    {
      name: 'a sandbox key',
      token: await sandboxKey(session_id),
      expected: (rule) => ('sandbox_key' in rule ? null : [403]),
    },
    {
      name: 'an app without the scope svc',
      token: await mintForApp(db, { user_id, scope: 'profile' }),
      // The credential is told who the person is; the rest of what is their own is tried in oauth.test.ts.
      expected: (rule) => ('any_person' in rule ? null : [403]),
    },
    {
      name: 'an app of another maker, of a platform admin',
      token: await mintForApp(db, { user_id, scope: 'svc' }),
      expected: (rule) => ('platform_admin' in rule ? [403] : null),
    },
    {
      name: 'an app of a person of another account',
      token: await mintForApp(db, { user_id: stranger.user_id, scope: 'svc' }),
      expected: person([404], null, 404),
    },
    {
      name: 'a revoked approval of an app',
      token: await mintForApp(db, { user_id, scope: 'svc', ended: true }),
      expected: unauthorized,
    },
    {
      name: 'a service account without a role',
      token: await token({ kind: 'service', user_id: robot, account_id }, 'svc_sa_'),
      expected: bound([404]),
    },
  ]
})

function send(operation: Operation, ids: Ids, token?: string, more = {}): Promise<Answer> {
  const json = { ...validBodies[operation.name], ...sessionOf(operation, ids), ...more }
  return platform.call(fillIn(operation.path, ids) + queryOf(operation), {
    method: operation.method,
    ...(token === undefined ? {} : { token }),
    ...(operation.has_body ? { json } : {}),
  })
}

/** A daemon's report names its session in the body. */
function sessionOf({ access }: Operation, { session_id }: Ids): Record<string, unknown> {
  return access !== null && 'sandbox_key' in access ? { session_id } : {}
}

test('every route states who reaches it', () => {
  expect(operations.filter(({ access }) => access === null).map(({ name }) => name)).toEqual([])
})

test('every route that is served is one of them, and publishes its rule', async () => {
  // The authorization server's own routes are described, and served by its library.
  const protocol = oauthProtocol.map((route) => ({ ...route, access: accessRule(route) }))
  expect(await published(platform, '/v1/openapi.json')).toEqual(stated([...contract.operations, ...protocol]))
  expect(await published(platform, '/v1/admin/openapi.json')).toEqual(stated(adminOperations))
})

/** A token of one project signs a browser in for that project: nothing of the person's own is told by that. */
const forProjectTokens: ReadonlySet<string> = new Set(['openBrowserSession', 'endOwnBrowserSession'])

/** Decided by a person alone: a token is refused before anything is looked for. */
const forPeople: ReadonlySet<string> = new Set(['decideApproval', 'settleConnectorCall'])

const guarded = operations.filter(({ access }) => access !== null && !('public' in access))

describe.each(guarded)('$method $path', (operation) => {
  const besides = operation.has_body ? [{}, { 'no such key': 1 }] : [{}]
  test.each(besides)('tells nobody anything who is not let in, sent %j besides', async (more) => {
    const { access } = operation
    if (access === null) throw new Error('The route states no rule')
    await Promise.all(
      credentials.map(async ({ name, token, expected }) => {
        if (name.startsWith('a project token') && forProjectTokens.has(operation.name)) return
        const statuses = expected(access)
        if (statuses === null) return
        const answer = await send(operation, mine, token, more)
        expect(statuses, `${name}: ${answer.status} ${answer.text}`).toContain(answer.status)
        expectRefusal(answer, statuses, operation.path)
      }),
    )
  })

  // An operator's routes are for every account.
  const isOperators = operation.path.startsWith('/v1/admin/')
  const own = isOperators ? undefined : /\{(project_id|account_id)\}/.exec(operation.path)?.[1]
  if (own !== undefined && operation.access !== null && !('sandbox_key' in operation.access))
    test('of somebody else is not there', async () => {
      expectRefusal(await send(operation, theirs, platform.owner.token), [404])
    })

  const inner = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const mixed = inner.filter((name) => /_id$/.test(name) && name !== own)
  if (own !== undefined && mixed.length > 0)
    test.each(mixed)('with a foreign %s in an own path finds nothing', async (name) => {
      const token = forPeople.has(operation.name) ? inPerson : platform.owner.token
      const answer = await send(operation, { ...mine, [name]: theirs[name] ?? '' }, token)
      expectRefusal(answer, [404])
    })
})

test('a session credential that is over says so, whatever ended it', async () => {
  for (const { name, token } of credentials) {
    if (!/^(a revoked|an expired|the token of a deleted)/.test(name)) continue
    const answer = await platform.call('/v1/projects', token === undefined ? {} : { token })
    expect(answer, name).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
  }
})

test('random bytes as a token are refused without a trace of them in the log', async () => {
  const token = randomBytes(40).toString('base64url')
  expect(await platform.call('/v1/projects', { token })).toMatchObject({ status: 401 })
  expect(platform.lines.join('\n')).not.toContain(token)
})
