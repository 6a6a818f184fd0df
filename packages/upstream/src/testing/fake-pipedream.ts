import { randomUUID } from 'node:crypto'
import { type FakeAggregator, type FakeRun, fakeServer } from './fake-server.ts'

export const pipedreamClient = { project_id: 'proj_fake', client_id: 'cl_fake', client_secret: 'cs_fake' }

const component = (key: string, annotations: object | undefined) => ({
  name: key.replace('github-', ''),
  version: '0.1.2',
  key,
  description: `Does ${key}.`,
  component_type: 'action',
  ...(annotations === undefined ? {} : { annotations }),
  configurable_props: [
    { name: 'github', type: 'app', app: 'github' },
    { name: 'owner', type: 'string', label: 'Owner', description: 'Of the repository' },
    { name: 'labels', type: 'string[]', label: 'Labels', optional: true, options: ['bug'] },
    { name: 'state', type: 'string', optional: true, options: [{ label: 'Open', value: 'open' }] },
    { name: 'info', type: 'alert', alertType: 'info', content: 'Read this' },
  ],
})
const pages = [
  [
    component('github-get', { readOnlyHint: true, destructiveHint: false, openWorldHint: true }),
    component('github-create', { readOnlyHint: false, destructiveHint: false }),
  ],
  [
    component('github-delete', { destructiveHint: true }),
    component('github-plain', undefined),
    component('github-fail', undefined),
    component('github-silent', undefined),
  ],
]

interface Account {
  readonly user: string
  readonly app: string
  healthy: boolean
  readonly created_at: string
}

/** Pipedream Connect, as its public documents describe it. */
export async function fakePipedream(): Promise<FakeAggregator & { readonly forgetTokens: () => void }> {
  const accounts = new Map<string, Account>()
  const links = new Map<string, string>()
  const bearers = new Set<string>()
  const runs: FakeRun[] = []
  let secret = pipedreamClient.client_secret
  const refused = (status: number, error: string) => ({ status, json: { error } })
  const root = `/v1/connect/${pipedreamClient.project_id}`
  const server = await fakeServer(({ method, path, query, headers, body }) => {
    if (path === '/v1/oauth/token') {
      if (body['client_secret'] !== secret) return refused(401, 'invalid_client')
      const access_token = randomUUID()
      bearers.add(access_token)
      return { status: 200, json: { access_token, token_type: 'Bearer', expires_in: 3600, created_at: 0 } }
    }
    if (!bearers.has(headers.authorization?.replace('Bearer ', '') ?? '')) return refused(401, 'unauthorized')
    if (headers['x-pd-environment'] !== 'development') return refused(400, 'environment is required')
    if (method === 'GET' && path === `${root}/actions`) {
      const page = Number(query.get('after') ?? 0)
      const data = query.get('app') === 'github' ? (pages[page] ?? []) : []
      const end_cursor = data.length > 0 ? String(page + 1) : null
      return {
        status: 200,
        json: { page_info: { total_count: 6, count: data.length, start_cursor: null, end_cursor }, data },
      }
    }
    if (method === 'POST' && path === `${root}/tokens`) {
      const token = `ctok_${randomUUID()}`
      links.set(token, String(body['external_user_id']))
      const connect_link_url = `${server.origin}/_static/connect.html?token=${token}&connectLink=true`
      return { status: 200, json: { token, connect_link_url, expires_at: '2030-01-01T00:00:00Z' } }
    }
    if (method === 'GET' && path === `${root}/accounts`) {
      const data = [...accounts]
        .filter(([, { user, app }]) => user === query.get('external_user_id') && app === query.get('app'))
        .map(([id, { healthy, created_at, user }]) => ({
          id,
          name: 'ada',
          external_id: user,
          healthy,
          dead: !healthy,
          app: { name_slug: 'github' },
          created_at,
          updated_at: created_at,
        }))
      return { status: 200, json: { page_info: { count: data.length }, data } }
    }
    const id = new RegExp(`^${root}/accounts/([^/]+)$`).exec(path)?.[1]
    if (method === 'DELETE' && id !== undefined)
      return accounts.delete(id) ? { status: 204, json: null } : refused(404, 'record not found')
    if (method !== 'POST' || path !== `${root}/actions/run`) return refused(404, 'not found')
    const { id: action, external_user_id, version } = body
    const { github, ...args } = body['configured_props'] as Record<string, unknown>
    const account = (github as { authProvisionId?: string } | undefined)?.authProvisionId
    if (accounts.get(account ?? '')?.user !== external_user_id)
      return refused(400, 'account does not belong to the user')
    runs.push({ action: String(action), user: external_user_id, account, args, version })
    if (action === 'github-silent') return null
    if (action === 'github-fail') {
      const err = { name: 'Error', message: 'Repository not found' }
      return { status: 200, json: { exports: {}, os: [{ ts: 1, k: 'error', err }], ret: null } }
    }
    return { status: 200, json: { exports: { $summary: 'Done' }, os: [], ret: { echo: args } } }
  })
  let last: string | undefined
  return {
    ...server,
    runs,
    connect: (page) => {
      const { searchParams } = new URL(page)
      const user = links.get(searchParams.get('token') ?? '')
      if (user === undefined) throw new Error('no such link')
      last = `apn_${randomUUID().slice(0, 8)}`
      const created_at = new Date().toISOString()
      accounts.set(last, { user, app: searchParams.get('app') ?? '', healthy: true, created_at })
    },
    expire: () => {
      const account = accounts.get(last ?? '')
      if (account !== undefined) account.healthy = false
    },
    lock: () => {
      secret = randomUUID()
      bearers.clear()
    },
    forgetTokens: () => bearers.clear(),
  }
}
