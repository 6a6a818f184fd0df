import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { sandboxIdentity, type sessionLog } from '@svc/contract'
import type { z } from 'zod'
import { backend } from './git-origin.ts'
import { listen } from './listen.ts'

type Report = z.infer<typeof sandboxIdentity.TurnStreamBody>
export type ReportedEvent = z.infer<typeof sandboxIdentity.ReportedEvent>

/** The platform as a daemon sees it: the identity routes, which check and remember what they are told. */
export interface FakePlatform {
  readonly apiUrl: string
  readonly reports: Report[]
  readonly asks: { readonly path: string; readonly body: unknown }[]
  readonly problems: string[]
  /** False makes every route answer 503, as during an outage. */
  up: boolean
  credential: z.infer<typeof sandboxIdentity.CloneCredential> | null
  /** The conversation so far, as a sandbox that continues is told it. */
  history: z.infer<typeof sessionLog.TranscriptMessage>[]
  /** The request that tells the provider that the sandbox is in use. */
  edge: { provider_url: string; provider_headers: Record<string, string> } | null
  /** Runs git in the store of checkpoints. */
  checkpoints(...args: string[]): string
  /** The events that the session's log would hold: each event id once, no deltas. */
  events(type?: ReportedEvent['type']): ReportedEvent[]
  kinds(): string[]
  close(): Promise<void>
}

export async function startFakePlatform(
  host: string,
  serviceKey: string,
  folder: string,
): Promise<FakePlatform> {
  const store = join(folder, 'checkpoints')
  const basic = `Basic ${Buffer.from(`sandbox:${serviceKey}`).toString('base64')}`
  const reports: Report[] = []
  const asks: { path: string; body: unknown }[] = []
  const problems: string[] = []

  const handle = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    if (!platform.up) return { status: 503, body: { error: true } }
    const path = request.url?.split('/').slice(4).join('/') ?? ''
    if (request.headers.authorization !== `Bearer ${serviceKey}`) {
      problems.push(`${path} without the service key`)
      return { status: 401, body: { error: true } }
    }
    if (path === 'git/clone-credential' && platform.credential)
      return { status: 200, body: platform.credential }
    if (path === 'session-history')
      return { status: 200, body: { session_id: randomUUID(), messages: platform.history } }
    const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (path === 'turn-question' || path === 'turn-permission') {
      asks.push({ path, body })
      return { status: 200, body: { ok: true } }
    }
    if (path !== 'turn-stream') return { status: 404, body: { error: true } }
    const report = sandboxIdentity.TurnStreamBody.safeParse(body)
    if (!report.success) {
      problems.push(`turn-stream: ${report.error.message}`)
      return { status: 400, body: { error: true } }
    }
    reports.push(report.data)
    const edge = report.data.kind === 'execution_heartbeat' ? platform.edge : null
    return { status: 200, body: { ok: true, lease_expires_at: null, ...edge } }
  }
  /** One bare repository for all, with the route of the managed origin. */
  const serveStore = (request: IncomingMessage, response: ServerResponse): void => {
    if (!platform.up) return void response.writeHead(503).end()
    if (request.headers.authorization !== basic) {
      problems.push('checkpoints without the service key')
      return void response.writeHead(401).end()
    }
    request.url = request.url?.replace(/^\/v1\/git\/[^/]+/, '/store.git') ?? ''
    backend(store, request, response, '')
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith('/v1/git/')) return serveStore(request, response)
    handle(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
      (error: unknown) => {
        problems.push(String(error))
        response.destroy()
      },
    )
  }
  if (!existsSync(join(store, 'store.git'))) {
    execFileSync('git', ['init', '-q', '--bare', join(store, 'store.git')])
    execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: join(store, 'store.git') })
  }
  const { port, close } = await listen(createServer(answer), host)
  const platform: FakePlatform = {
    apiUrl: `http://${host}:${port}/v1`,
    reports,
    asks,
    problems,
    up: true,
    credential: null,
    history: [],
    edge: null,
    checkpoints: (...args) =>
      execFileSync('git', args, { cwd: join(store, 'store.git'), encoding: 'utf8' }).trim(),
    events: (type) => {
      const all = reports.flatMap((report) => (report.kind === 'events' ? report.events : []))
      const once = new Map(all.map((event) => [event.event_id, event]))
      return [...once.values()].filter((event) =>
        type === undefined ? event.type !== 'message.delta' : event.type === type,
      )
    },
    kinds: () => reports.map(({ kind }) => kind),
    close,
  }
  return platform
}
