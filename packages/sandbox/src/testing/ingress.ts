import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { connectDaemon } from '../connect-daemon.ts'
import { joinSockets } from '../network/join-sockets.ts'
import type { SandboxEndpoint, SandboxProvider } from '../provider.ts'

const run = promisify(execFile)

/** The entrance to a provider's sandboxes elsewhere: https with a certificate of its own, and a token. */
export interface Ingress {
  /** The endpoint of the sandbox through it. */
  outside(external_id: string): SandboxEndpoint
  /** The requests that came without the token, which reached no sandbox. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

/** Leads to the endpoint that `inside` has for a sandbox; needs openssl for its certificate. */
export async function openIngress(
  inside: (external_id: string) => Promise<SandboxEndpoint | null>,
): Promise<Ingress> {
  const own = await newCertificate()
  const token = randomUUID()
  const known: ReadonlySet<unknown> = new Set([token])
  const refused: string[] = []
  const find = async ({ headers, url }: IncomingMessage): Promise<SandboxEndpoint | null> => {
    const { 'x-provider-token': given, 'x-provider-sandbox': external_id } = headers
    if (known.has(given) && typeof external_id === 'string') return inside(external_id)
    refused.push(url ?? '')
    return null
  }
  const ask = (incoming: IncomingMessage, endpoint: SandboxEndpoint) => {
    const { request, place, headers } = connectDaemon(endpoint)
    const { 'x-provider-token': _, 'x-provider-sandbox': __, ...others } = incoming.headers
    const { method, url } = incoming
    const whole = { ...others, host: 'sandbox', ...headers }
    return request({ ...place, method, path: url, headers: whole, agent: false })
  }
  const server = createServer(own, (incoming, response) => {
    void find(incoming).then((endpoint) => {
      if (endpoint === null) return response.writeHead(401).end()
      const onward = ask(incoming, endpoint)
      onward.on('continue', () => response.writeContinue())
      onward.on('error', () => response.destroy())
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
        pipeline(answer, response, () => undefined)
      })
      response.on('close', () => onward.destroy())
      return incoming.pipe(onward)
    })
  })
  // The sandbox itself says whether a body is to come.
  server.on('checkContinue', (incoming, response) => server.emit('request', incoming, response))
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    void find(incoming).then((endpoint) => {
      if (endpoint === null) return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      const onward = ask(incoming, endpoint).on('error', () => socket.destroy())
      onward.on('upgrade', (answer, other) => {
        const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
        joinSockets(socket, other)
      })
      return onward.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  return {
    outside: (external_id) => ({
      url: `https://127.0.0.1:${port}`,
      headers: { 'X-Provider-Token': token, 'X-Provider-Sandbox': external_id },
      ca: own.cert,
    }),
    refused,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The same sandboxes, reached through the ingress alone. */
export function behindIngress(provider: SandboxProvider, ingress: Ingress): SandboxProvider {
  return {
    ...provider,
    create: async (spec, signal) => {
      const made = await provider.create(spec, signal)
      return { ...made, endpoint: ingress.outside(made.external_id) }
    },
    start: async (external_id, environment) => {
      await provider.start(external_id, environment)
      return { endpoint: ingress.outside(external_id) }
    },
    endpoint: async (external_id) =>
      (await provider.endpoint(external_id)) === null ? null : ingress.outside(external_id),
  }
}

async function newCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ingress-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const name = ['-subj', '/CN=ingress', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    await run('openssl', [...fresh, ...name, '-keyout', key, '-out', cert])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
