import { randomUUID } from 'node:crypto'
import { type FakeAggregator, type FakeRun, fakeServer } from './fake-server.ts'

export const composioKey = 'ak_fake'

const tool = (slug: string, tags: readonly string[]) => ({
  slug,
  name: slug.toLowerCase().replaceAll('_', ' '),
  description: `Does ${slug}.`,
  tags,
  version: '20260801_00',
  toolkit: { slug: 'github', name: 'GitHub', logo: 'https://logos.invalid/github.svg' },
  input_parameters: { type: 'object', properties: { owner: { type: 'string' } }, required: ['owner'] },
  output_parameters: { type: 'object', properties: {} },
  is_deprecated: false,
  no_auth: false,
})
const pages = [
  [tool('GITHUB_GET', ['readOnlyHint', 'openWorldHint']), tool('GITHUB_CREATE', ['createHint'])],
  [
    tool('GITHUB_DELETE', ['destructiveHint']),
    tool('GITHUB_PLAIN', []),
    tool('GITHUB_FAIL', []),
    tool('GITHUB_SILENT', []),
  ],
]

/** Composio's API, version 3, as its public documents describe it. */
export async function fakeComposio(): Promise<FakeAggregator> {
  const accounts = new Map<string, { status: string; user_id: string; link: string }>()
  const runs: FakeRun[] = []
  let key = composioKey
  const refused = (status: number, slug: string, message: string) => ({
    status,
    json: {
      error: { message, slug, code: status * 10, status, request_id: randomUUID(), suggested_fix: '' },
    },
  })
  const server = await fakeServer(({ method, path, query, headers, body }) => {
    if (headers['x-api-key'] !== key) return refused(401, 'Unauthorized', 'Invalid API key')
    if (method === 'GET' && path === '/api/v3/tools') {
      const page = Number(query.get('cursor') ?? 0)
      const items = query.get('toolkit_slug') === 'github' ? (pages[page] ?? []) : []
      const next_cursor = page + 1 < pages.length && items.length > 0 ? String(page + 1) : null
      return {
        status: 200,
        json: { items, next_cursor, total_pages: pages.length, current_page: page + 1, total_items: 6 },
      }
    }
    if (method === 'POST' && path === '/api/v3/connected_accounts/link') {
      if (body['auth_config_id'] !== 'ac_github')
        return refused(404, 'AuthConfig_NotFound', 'Auth config not found')
      const [id, link_token] = [`ca_${randomUUID()}`, `lk_${randomUUID()}`]
      accounts.set(id, { status: 'INITIATED', user_id: String(body['user_id']), link: link_token })
      const redirect_url = `${server.origin}/link/${link_token}`
      return {
        status: 201,
        json: { link_token, redirect_url, expires_at: '2030-01-01T00:00:00Z', connected_account_id: id },
      }
    }
    const id = /^\/api\/v3\/connected_accounts\/([^/]+)$/.exec(path)?.[1]
    if (id !== undefined) {
      const account = accounts.get(id)
      if (account === undefined)
        return refused(404, 'ConnectedAccount_ResourceNotFound', 'Connected account not found')
      if (method === 'DELETE') return { status: 200, json: { success: accounts.delete(id) } }
      const { status, user_id } = account
      return {
        status: 200,
        json: { id, status, user_id, toolkit: { slug: 'github' }, auth_config: { id: 'ac_github' } },
      }
    }
    const action = /^\/api\/v3\/tools\/execute\/([^/]+)$/.exec(path)?.[1]
    if (method !== 'POST' || action === undefined) return refused(404, 'NotFound', 'Not found')
    const { connected_account_id, user_id, arguments: args, version } = body
    if (accounts.get(String(connected_account_id))?.user_id !== user_id)
      return refused(400, 'ConnectedAccount_UserMismatch', 'User ID does not match the connected account')
    runs.push({ action, user: user_id, account: connected_account_id, args, version })
    if (action.endsWith('SILENT')) return null
    const log_id = `log_${randomUUID()}`
    if (action.endsWith('FAIL'))
      return {
        status: 200,
        json: { successful: false, data: { http_error: '404' }, error: 'Repository not found', log_id },
      }
    return {
      status: 200,
      json: { successful: true, data: { echo: args }, error: null, log_id, session_info: null },
    }
  })
  let last: string | undefined
  return {
    ...server,
    runs,
    connect: (page) => {
      for (const [id, account] of accounts) {
        if (!page.endsWith(account.link)) continue
        account.status = 'ACTIVE'
        last = id
      }
    },
    expire: () => {
      const account = accounts.get(last ?? '')
      if (account !== undefined) account.status = 'EXPIRED'
    },
    lock: () => void (key = randomUUID()),
  }
}
