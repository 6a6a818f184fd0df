import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { SandboxEndpoint } from '@svc/sandbox'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { openIngress } from '@svc/sandbox/testing'
import { provisionSandbox } from '@svc/services'
import { WebSocketServer } from 'ws'
import type { TestPlatform } from './platform.ts'

export interface FakeDaemon {
  readonly endpoint: SandboxEndpoint
  readonly server: Server
  readonly requests: IncomingMessage[]
  close(): Promise<void>
}

/**
 * A server in place of svc-agent: it answers health by itself, the rest by the test; WebSockets echo. With https
 * there is a way to it that asks for a token.
 */
export async function fakeDaemon(
  answer: RequestListener,
  where: 'tcp' | 'unix' | 'https',
): Promise<FakeDaemon> {
  const requests: IncomingMessage[] = []
  const folder = await mkdtemp(join(tmpdir(), 'svc-daemon-'))
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/svc/health') === true && req.headers.host === 'sandbox') {
      return void res.end(JSON.stringify({ repo: { state: 'ready' } }))
    }
    requests.push(req)
    answer(req, res)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, req) => {
    requests.push(req)
    socket.on('message', (data) => socket.send(`echo ${String(data)}`))
  })
  if (where === 'unix') server.listen(join(folder, 'daemon.sock'))
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const own = { url: typeof address === 'string' ? `unix://${address}` : `http://127.0.0.1:${address?.port}` }
  const ingress = where === 'https' ? await openIngress(async () => own) : null
  return {
    endpoint: ingress?.outside('any') ?? own,
    server,
    requests,
    async close() {
      await ingress?.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface RunningSession {
  readonly project_id: string
  readonly session_id: string
  readonly external_id: string
  readonly environment: Readonly<Record<string, string>>
}

/** A session whose sandbox is `daemon`, brought up as the sandbox-worker would. */
export async function runSession(
  platform: TestPlatform,
  { endpoint }: Pick<FakeDaemon, 'endpoint'>,
): Promise<RunningSession> {
  const { call, owner, parts, database } = platform
  const project = await call('/v1/projects/provision', {
    method: 'POST',
    token: owner.token,
    json: { name: 'sandboxed' },
  })
  const project_id = project.pick('project_id')
  const created = await call(`/v1/projects/${project_id}/sessions`, {
    method: 'POST',
    token: owner.token,
    json: {},
  })
  const session_id = created.pick('session_id')
  const provider = createMemoryProvider({ endpoint: () => endpoint })
  const signal = new AbortController().signal
  await provisionSandbox({ ...parts, locks: database.db, signal, provider }, { session_id })
  const [found] = [...provider.sandboxes]
  if (!found) throw new Error('no sandbox was made')
  const [external_id, { environment }] = found
  return { project_id, session_id, external_id, environment }
}
