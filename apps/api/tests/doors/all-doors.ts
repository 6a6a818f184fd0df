import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as contract from '@svc/contract'
import { fill } from '../support/operations.ts'

/** A way into the API, with a request that reaches it. */
export interface Door {
  readonly name: string
  readonly method: string
  readonly path: string
  /** Its host name, where that decides who serves it. */
  readonly host?: string
  /** The kind of credential that it counts requests by; none is known without one. */
  readonly credential: 'user' | 'scim' | null
  readonly basic?: true
  /** Its own limit on an address, where it has one; null where addresses are not counted. */
  readonly max?: number | null
  /** The media type and body of a refusal. */
  readonly type: RegExp
  readonly refusal: RegExp
}

const platforms = {
  type: /^application\/json/,
  refusal: /^\{"error":(true|"rate_limit_exceeded"),"message":"[^"]+","(status|retry_after_seconds)":\d+/,
}
const ofOAuth = { type: /^application\/json/, refusal: /^\{"error":"[a-z_]+","error_description":"[^"]+"/ }
const { signInPerMinute } = contract.limits
const project_id = randomUUID()
const open = { credential: null } as const

/** The doors that ask who comes, and those of the authorization server. */
const named = (account_id: string): Door[] => [
  { name: 'REST', method: 'GET', path: '/v1/accounts/me', credential: 'user', ...platforms },
  {
    ...{ name: 'git', method: 'GET', credential: 'user', basic: true, type: /^text\/plain/ },
    path: `/v1/git/${project_id}.git/info/refs?service=git-upload-pack`,
    refusal: /^[A-Z].+\n$/,
  },
  { name: 'the sandbox proxy', method: 'GET', path: '/v1/p/none/3000/', credential: 'user', ...platforms },
  {
    ...{ name: 'a paired computer', method: 'GET', credential: 'user', ...platforms },
    path: `/v1/projects/${project_id}/connectors/computer/connections/${project_id}/computer`,
  },
  { name: 'MCP', method: 'POST', path: '/v1/mcp', credential: 'user', ...platforms },
  { name: 'MCP of connectors', method: 'POST', path: '/v1/executor/mcp', credential: 'user', ...platforms },
  {
    ...{ name: 'SCIM', method: 'GET', path: `/scim/v2/accounts/${account_id}/Users`, credential: 'scim' },
    ...{ type: /^application\/scim\+json/, refusal: /^\{"schemas":/ },
  },
  {
    ...{ name: 'a preview', method: 'GET', path: '/', host: `${'a'.repeat(32)}.preview.localhost` },
    ...{ ...open, ...platforms },
  },
  {
    ...{ name: 'OAuth', method: 'GET', path: '/v1/oauth/authorize', ...open },
    ...{ type: /^text\/html/, refusal: /<h1>/ },
  },
  { name: 'the token endpoint', method: 'POST', path: '/v1/oauth/token', ...open, ...ofOAuth },
  {
    ...{ name: 'a registration', method: 'POST', path: '/v1/oauth/register', ...open, ...ofOAuth },
    max: signInPerMinute,
  },
  {
    ...{ name: 'the code of a device', method: 'POST', path: '/v1/auth/device', ...open, ...ofOAuth },
    max: signInPerMinute,
  },
]

/** Each operation of the contract that asks for no token of ours: webhooks, sign-in, links of mails, payments, chats. */
const withoutToken: readonly Door[] = contract.operations
  .filter(({ access }) => access !== null && 'public' in access)
  .map(({ name, method, path }) => ({
    ...{ name, method, path: fill(path, project_id, randomUUID()), ...open },
    ...(path.startsWith('/v1/auth/') ? { ...ofOAuth, max: signInPerMinute } : platforms),
    // What keeps the API running asks for it every few seconds.
    ...(path === '/v1/health' ? { max: null } : {}),
  }))

export const doorsOf = (account_id: string): readonly Door[] => [...named(account_id), ...withoutToken]

/** The request of a door, from an address behind a proxy. */
export async function knock(
  origin: string,
  { method, path, host, basic }: Door,
  { address, token = '', id }: { address: string; token?: string; id?: string },
) {
  const credential = basic ? `Basic ${btoa(`x:${token}`)}` : `Bearer ${token}`
  const asked = request(origin + path, {
    method,
    agent: false,
    headers: {
      'x-forwarded-for': address,
      ...(host === undefined ? {} : { host }),
      ...(token === '' ? {} : { authorization: credential }),
      ...(id === undefined ? {} : { 'x-request-id': id }),
    },
  }).end()
  const [answer] = await once(asked, 'response')
  const { statusCode: status, headers }: { statusCode: number; headers: IncomingHttpHeaders } = answer
  return { status, headers, text: await text(answer) }
}
