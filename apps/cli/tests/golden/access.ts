import { me, projectId } from '../support/records.ts'
import type { Answer, Route } from '../support/stub-api.ts'

const account = `/v1/accounts/${me.account_id}`
const project = `/v1/projects/${projectId}`
const grace = '77777777-7777-4777-8777-777777777777'
const robot = '99999999-1111-4111-8111-111111111111'
const at = '2026-01-01T00:00:00Z'
export const key = '88888888-8888-4888-8888-888888888888'

const ok = (body: unknown): Answer => ({ status: 200, body })
const created = (body: unknown): Answer => ({ status: 201, body })
const gone = (): Answer => ({ status: 204 })

const ada = { user_id: me.user_id, email: me.email, name: 'Ada', role: 'owner' }
const member = { user_id: grace, email: 'grace@example.com', name: 'Grace', role: 'member' }
const machine = { service_account_id: robot, account_id: me.account_id, name: 'robot', created_at: at }
const minted = {
  token_id: key,
  name: 'ci',
  kind: 'service_account',
  prefix: 'svc_sa_abcd',
  project_id: null,
  expires_at: '2026-04-01T00:00:00.000Z',
  last_used_at: '2026-01-03T11:00:00Z',
  created_at: at,
}
const gatewayKey = {
  ...minted,
  ...{ name: 'editor', kind: 'gateway', prefix: 'svc_gw_abcd', expires_at: null, rotated_from: null },
  limits: { requests_per_minute: 60, tokens_per_minute: null, concurrency: null, models: ['acme/*'] },
}
const event = {
  event_id: key,
  seq: 7,
  at,
  actor: { type: 'user', id: me.user_id, on_behalf_of: null },
  action: 'createToken',
  target: 'accounts/tokens/laptop',
  outcome: 'success',
}

/** People, machines, keys and their actions, in the account of the golden platform. */
export const accessRoutes: Readonly<Record<string, Route>> = {
  [`GET ${account}/members`]: () => ok({ members: [ada, member] }),
  [`PATCH ${account}/members/${grace}`]: () => ok({ ...member, role: 'admin' }),
  [`DELETE ${account}/members/${grace}`]: gone,
  [`POST ${account}/invitations`]: () =>
    created({ invitation_id: key, token: 'svc_inv_the-secret', expires_at: '2026-01-10T00:00:00Z' }),
  'POST /v1/accounts/invitations/accept': () =>
    ok({ account_id: me.account_id, name: 'Shop', role: 'member' }),
  [`GET ${project}/members`]: () => ok({ members: [{ ...member, role: 'editor' }] }),
  [`PUT ${project}/members/${grace}`]: () => ok({ ...member, role: 'editor' }),
  [`DELETE ${project}/members/${grace}`]: gone,
  [`GET ${account}/service-accounts`]: () => ok({ service_accounts: [machine] }),
  [`POST ${account}/service-accounts`]: () => created(machine),
  [`DELETE ${account}/service-accounts/${robot}`]: gone,
  [`POST ${account}/service-accounts/${robot}/keys`]: () =>
    created({ ...minted, token: 'svc_sa_the-secret' }),
  [`GET ${account}/service-accounts/${robot}/keys`]: () => ok({ tokens: [minted] }),
  [`DELETE ${account}/service-accounts/${robot}/keys/${key}`]: gone,
  [`GET ${account}/audit`]: () =>
    ok({ events: [event, { ...event, action: 'deleteProject', outcome: 'denied' }], next_cursor: null }),
  [`GET ${account}/audit/export`]: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(event)}\n`)
    return undefined
  },
  [`GET ${account}/audit/verify`]: () => ok({ valid: true, events: 7, head_hash: 'abc123', broken: null }),
  [`GET ${project}/gateway-keys`]: () => ok({ tokens: [gatewayKey] }),
  [`POST ${project}/gateway-keys`]: () => created({ ...gatewayKey, token: 'svc_gw_the-secret' }),
  [`PATCH ${project}/gateway-keys/${key}`]: () => ok(gatewayKey),
  [`POST ${project}/gateway-keys/${key}/rotate`]: () => created({ ...gatewayKey, token: 'svc_gw_the-other' }),
  [`DELETE ${project}/gateway-keys/${key}`]: gone,
  [`DELETE /v1/accounts/tokens/${key}`]: gone,
}

export const accessLines = [
  'members ls',
  `members ls --project ${projectId}`,
  `members role ${grace} admin`,
  `members role ${grace} king`,
  `members rm ${grace}`,
  'members invite grace@example.com',
  'members join svc_inv_the-secret',
  `members grant ${grace} editor`,
  `members revoke ${grace}`,
  'service-accounts ls',
  'service-accounts new robot',
  `service-accounts key ${robot} ci --expires 90d`,
  `service-accounts keys ${robot}`,
  `service-accounts revoke ${robot} ${key}`,
  `service-accounts rm ${robot}`,
  'audit ls',
  'audit ls --since yesterday',
  'audit export',
  'audit verify',
  'gateway keys new editor',
  'gateway keys ls',
  `gateway keys limit ${key} --requests-per-minute 60 --models acme/*`,
  `gateway keys limit ${key} --requests-per-minute few`,
  `gateway keys rotate ${key} --grace 1h`,
  `gateway keys revoke ${key}`,
  `tokens revoke ${key}`,
] as const
