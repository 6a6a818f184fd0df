import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { sandboxIdentity } from '@svc/contract'
import type { z } from 'zod'
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
  /** What the log of the session would hold: each event id once, no deltas. */
  events(type?: ReportedEvent['type']): ReportedEvent[]
  kinds(): string[]
  close(): Promise<void>
}

export async function startFakePlatform(host: string, serviceKey: string): Promise<FakePlatform> {
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
    return { status: 200, body: { ok: true, lease_expires_at: null } }
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
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
  const { port, close } = await listen(createServer(answer), host)
  const platform: FakePlatform = {
    apiUrl: `http://${host}:${port}/v1`,
    reports,
    asks,
    problems,
    up: true,
    credential: null,
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
