import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Args, type Method, Refused } from './methods.ts'
import type { Uploads } from './uploads.ts'
import type { Workspace } from './workspace.ts'

export interface WebApi {
  readonly bot_token: string
  app_token: string | undefined
  scopes: readonly string[]
  readonly workspace: Workspace
  readonly methods: Readonly<Record<string, Method>>
  readonly uploads: Uploads
  readonly openSocket: () => string
  /** Of each call, the method and the arguments. */
  readonly calls: { readonly method: string; readonly args: Args }[]
  /** The ids of files that were asked for. */
  readonly downloads: string[]
  readonly faults: Faults
}

/** The mishaps to come. */
export interface Faults {
  limited: number
  retry_after: number
  lost: number
  /** Answers with this status. */
  broken: number
  is_revoked: boolean
}

/** Answers a request to `/api/<method>` or for a file. */
export async function answerCall(
  api: WebApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://fake')
  const bytes = await readBody(request)
  if (isFaulty(api, pathname)) return fail(api, response)
  if (pathname.startsWith('/files-pri/')) return sendFile(api, pathname, request, response)
  if (pathname.startsWith('/upload/v1/'))
    return void response.writeHead(api.uploads.take(pathname.slice('/upload/v1/'.length), bytes)).end()
  const body = bytes.toString('utf8')
  const method = pathname.replace(/^\/api\//, '')
  const { token, ...args } = argsOf(request, body)
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? token
  const { faults } = api
  api.calls.push({ method, args })
  if (faults.limited + faults.broken > 0) return fail(api, response)
  const answer = run(api, method, bearer, args)
  if (api.methods[method]?.writes && faults.lost > 0) {
    faults.lost -= 1
    return void request.socket.destroy()
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'x-oauth-scopes': api.scopes.join(','),
  })
  response.end(JSON.stringify(answer))
}

/** Files have the mishaps of calls, and are no calls. */
const isFaulty = ({ faults }: WebApi, pathname: string): boolean =>
  !pathname.startsWith('/api/') && faults.limited + faults.broken > 0

function fail({ faults }: WebApi, response: ServerResponse): void {
  if (faults.limited > 0) {
    faults.limited -= 1
    response.writeHead(429, { 'retry-after': String(faults.retry_after), 'content-type': 'application/json' })
    return void response.end('{"ok":false,"error":"ratelimited"}')
  }
  faults.broken -= 1
  response.writeHead(503).end('<html>busy</html>')
}

function run(api: WebApi, name: string, token: unknown, args: Args): Readonly<Record<string, unknown>> {
  const refused = (error: string, more = {}) => ({ ok: false, error, ...more })
  if (name === 'apps.connections.open') {
    if (token === undefined) return refused('not_authed')
    return token === api.app_token ? { ok: true, url: api.openSocket() } : refused('invalid_auth')
  }
  const method = api.methods[name]
  if (method === undefined) return refused('unknown_method')
  if (token === undefined) return refused('not_authed')
  if (token !== api.bot_token) return refused('invalid_auth')
  if (api.faults.is_revoked) return refused('token_revoked')
  const hasScope = method.scopes.length === 0 || method.scopes.some((scope) => api.scopes.includes(scope))
  if (!hasScope) return refused('missing_scope', { needed: method.scopes[0], provided: api.scopes.join(',') })
  try {
    return { ok: true, ...method.run(args) }
  } catch (error) {
    if (error instanceof Refused) return refused(error.message)
    throw error
  }
}

function sendFile(api: WebApi, pathname: string, request: IncomingMessage, response: ServerResponse): void {
  const [, id = ''] = /^\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(pathname) ?? []
  api.downloads.push(id)
  const found = api.workspace.files.get(id)
  const isAllowed =
    request.headers.authorization === `Bearer ${api.bot_token}` && api.scopes.includes('files:read')
  // Slack sends who may not read a file to the page of the sign-in.
  if (!isAllowed) return void response.writeHead(302, { location: 'https://fake.slack.com/?redir=' }).end()
  if (found === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': found.file.mimetype }).end(found.content)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Arguments come as JSON or as a form, in which structures are JSON. */
function argsOf(request: IncomingMessage, body: string): Args {
  if (body === '') return {}
  if (request.headers['content-type']?.startsWith('application/json')) return Object(JSON.parse(body))
  const structures = ['blocks', 'metadata', 'attachments', 'files']
  const fields = [...new URLSearchParams(body)].map(([name, value]): [string, unknown] => [
    name,
    structures.includes(name) ? JSON.parse(value) : value,
  ])
  return Object.fromEntries(fields)
}
