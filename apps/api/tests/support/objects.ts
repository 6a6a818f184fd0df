import { randomBytes, randomUUID } from 'node:crypto'
import {
  accountDomains,
  accountRoles,
  accountSso,
  calls,
  changeRequests,
  connectorAuthorizations,
  type Db,
  scimGroups,
} from '@svc/db'
import { validBodies } from './bodies.ts'
import { makeChannel, makeLink } from './mutations/a-channel.ts'
import { declareConnector, freezeCall } from './connectors.ts'
import { makeApp } from './mutations/an-app.ts'
import { makeDelivery } from './mutations/published-event.ts'
import { mint, mintForApp, type Person } from './credentials.ts'
import { makerOf, type Operation, operations, parametersOf } from './operations.ts'
import type { TestPlatform } from './platform.ts'

/** A value for every parameter of the contract's paths: one object of each kind, in one account and one project. */
export type Ids = Readonly<Record<string, string>>

/** Every kind of object that can be asked for by its id, belonging to this person. */
export async function makeObjects(platform: TestPlatform, owner: Person, account_id: string): Promise<Ids> {
  const { call, parts } = platform
  const post = (path: string, json: unknown = {}) => call(path, { method: 'POST', token: owner.token, json })
  const project_id = (await post('/v1/projects/provision', { name: 'Walk' })).pick('project_id')
  const project = `/v1/projects/${project_id}`
  await declareConnector(platform, project_id)
  const session_id = (await post(`${project}/sessions`)).pick('session_id')
  const prompt = await post(`${project}/sessions/${session_id}/prompts`, { text: 'x' })
  const role_id = await makeRole(parts.db, account_id, owner.user_id)
  const provider = await post(`${project}/gateway/providers`, { ...aProvider, api_key: 'sk-0123456789ab' })
  await post(`/v1/accounts/${account_id}/gateway/providers`, aProvider)
  const connected = await post(`${project}/connectors/nightly/connections`, { credential: { token: 'x' } })
  const connection_id = connected.pick('connection_id')
  const { call_id } = await freezeCall(platform, owner, project_id)
  const asked = { url: 'https://8.8.8.8/svc', types: ['cr.*'] }
  const subscription_id = (await post(`${project}/event-subscriptions`, asked)).pick('subscription_id')
  await makeCall(parts.db, { account_id, project_id, call_id })
  const token = await mint(parts.db, { kind: 'project', user_id: owner.user_id, project_id })
  const delivery_id = await makeDelivery(parts.db, { account_id, project_id, subscription_id })
  const { user_id } = owner
  return withMade(platform, owner, {
    channel_id: await makeChannel(parts, { account_id, project_id, user_id, slug: 'nightly', delivery_id }),
    link_id: await makeLink(parts, { account_id, user_id }),
    account_id,
    project_id,
    session_id,
    ...(await makeApp(parts.db, { account_id, project_id, user_id: owner.user_id })),
    prompt_id: prompt.pick('prompt_id'),
    request_id: 'request',
    cr_id: await makeChangeRequest(parts.db, { account_id, project_id, created_by: owner.user_id }),
    token_id: token.token_id,
    name: 'NAME',
    slug: 'nightly',
    key_id: provider.pick('keys.0.key_id'),
    receipt_id: randomUUID(),
    fire_id: randomUUID(),
    sha: 'a'.repeat(40),
    user_id: owner.user_id,
    role_id,
    failure_id: randomUUID(),
    run_id: randomUUID(),
    process_id: randomUUID(),
    machine: 'none',
    tier: 'walked',
    version: '2.6.0',
    ...{ connection_id, call_id, subscription_id },
    authorization_id: await makeAuthorization(parts.db, {
      project_id,
      connection_id,
      user_id: owner.user_id,
    }),
    delivery_id,
    work_id: `provision:${session_id}`,
    group_id: await makeGroup(parts.db, account_id),
    domain: await makeSingleSignOn(parts.db, account_id),
    client_id: await makeApproval(parts.db, owner.user_id),
    browser_session_id: (await post('/v1/auth/browser')).pick('browser_session_id'),
    item_id: `session_failed:${session_id}`,
  })
}

/** A model provider at an address that is public, and never asked. */
export const aProvider = { slug: 'nightly', kind: 'openai', base_url: 'https://8.8.8.8/v1' } as const

/** With every other object that a path names, each made by its own operation from the example of its body. */
async function withMade(platform: TestPlatform, owner: Person, ids: Ids): Promise<Ids> {
  const made: Record<string, string> = { ...ids }
  for (const { path } of operations) {
    for (const parameter of parametersOf(path)) {
      const maker = made[parameter] === undefined ? makerOf(path, parameter) : undefined
      if (maker !== undefined) made[parameter] = await makeOne(platform, owner, maker, made, parameter)
    }
  }
  return made
}

/** The id of a new object, which the answer calls by this name. */
export async function makeOne(
  platform: TestPlatform,
  { token }: Person,
  maker: Operation,
  ids: Ids,
  id: string,
): Promise<string> {
  const json = validBodies[maker.name] ?? {}
  return (await platform.call(fillIn(maker.path, ids), { method: 'POST', token, json })).pick(id)
}

/** A domain of the account's own, and a provider whose secret is never opened. Answers with the domain. */
export async function makeSingleSignOn(db: Db, account_id: string): Promise<string> {
  const now = new Date()
  const domain = `${randomUUID()}.example`
  const claimed = { challenge: 'x', now, expires_at: new Date(now.getTime() + 3_600_000) }
  await accountDomains.claim(db, { account_id, domain }, claimed)
  await accountSso.put(db, {
    ...{ account_id, issuer: 'https://id.acme.example', client_id: 'svc', created_at: now, updated_at: now },
    ...{ sealed_data_key: 'none', sealed_client_secret: 'none', enforced: false, default_role: 'member' },
  })
  return domain
}

/** A sign-in at the service of `nightly` that nobody came back from. */
async function makeAuthorization(
  db: Db,
  place: { readonly project_id: string; readonly connection_id: string; readonly user_id: string },
): Promise<string> {
  const [authorization_id, created_at] = [randomUUID(), new Date()]
  await connectorAuthorizations.insert(db, {
    ...{ ...place, authorization_id, slug: 'nightly', status: 'pending', error: null, created_at },
    ...{ state_hash: randomBytes(32), sealed_verifier: 'none', sealed_code: null },
    ...{ issuer: 'https://id.example', resource: 'https://mcp.example' },
    expires_at: new Date(created_at.getTime() + 600_000),
  })
  return authorization_id
}

/** An app that the person approved. */
export async function makeApproval(db: Db, user_id: string): Promise<string> {
  await mintForApp(db, { user_id, scope: 'svc' })
  return 'an-app'
}

/** A call of a model that runs, by the id of the call of a connector: one parameter is the name of both. */
async function makeCall(
  db: Db,
  place: { readonly account_id: string; readonly project_id: string; readonly call_id: string },
): Promise<void> {
  const provider_scope = 'project'
  await calls.admit(db, {
    ...{ ...place, session_id: null, prompt_id: null, trigger_slug: null, agent_name: null },
    ...{ token_id: randomUUID(), dialect: 'chat', model_asked: null, model: 'acme/great' },
    ...{ provider: 'acme', provider_scope, streamed: false, attempts: [], request_id: null, price_id: null },
    ...{ input_tokens: 1, lost_micros: 0, want_micros: 0, floor_micros: 0, free: true, priced: true },
    ...{ unbounded: null, countable: false, billed: false },
  })
}

/** Makes the group, whatever the plan of the account holds. */
async function makeGroup(db: Db, account_id: string): Promise<string> {
  const group_id = randomUUID()
  const display_name = `Group ${group_id}`
  await scimGroups.insert(db, { account_id, group_id, display_name, external_id: null }, new Date())
  return group_id
}

/** Makes the role, whatever the plan of the account holds. */
async function makeRole(db: Db, account_id: string, created_by: string): Promise<string> {
  const [role_id, now] = [randomUUID(), new Date()]
  const name = `Custom ${role_id}`
  const times = { created_at: now, updated_at: now }
  await accountRoles.insert(db, {
    ...{ role_id, account_id, name, created_by, ...times },
    base_role: 'viewer',
    capabilities: [],
  })
  return role_id
}

async function makeChangeRequest(
  db: Db,
  owner: { account_id: string; project_id: string; created_by: string },
): Promise<string> {
  const cr_id = randomUUID()
  const now = new Date()
  await changeRequests.insert(db, {
    ...owner,
    cr_id,
    number: 1,
    title: 'x',
    description: '',
    base_ref: 'main',
    head_ref: 'topic',
    status: 'open',
    head_commit_sha: null,
    base_commit_sha: null,
    origin_session_id: null,
    merged_at: null,
    merged_by: null,
    merge_commit_sha: null,
    closed_at: null,
    closed_by: null,
    created_at: now,
    updated_at: now,
  })
  return cr_id
}

/** The path with its parameters filled in; a parameter without a value is a mistake of the test. */
export function fillIn(path: string, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name]
    if (value === undefined) throw new Error(`makeObjects has no value for {${name}} of ${path}`)
    return value
  })
}
