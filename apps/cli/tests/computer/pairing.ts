import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallOptions, computerProvider, createComputerHub, type Target } from '@svc/upstream'
import { expect } from 'vitest'
import { serveComputer, type ServeOptions } from '../../src/computer/serve-computer.ts'

/** A platform that knows one token, a folder to serve, and a file of executed calls. */
export async function pairing({
  onHello,
  ...hubOptions
}: Parameters<typeof createComputerHub>[0] & { onHello?: (name: string) => void } = {}) {
  const hub = createComputerHub(hubOptions)
  const sockets = new Set<Socket>()
  const upgrades: (string | undefined)[] = []
  const server = createServer((req, res) => {
    res.writeHead(req.headers.authorization === 'Bearer good' ? 426 : 401).end()
  })
  server.on('upgrade', (request, socket, head) => {
    upgrades.push(request.headers.authorization)
    sockets.add(socket as Socket)
    if (request.headers.authorization === 'Bearer good')
      hub.upgrade('connection-1', { request, socket, head }, onHello && { onHello })
    else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(`ws://127.0.0.1:${address.port}/v1/connectors/computer`)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'computer-')))
  const state = await realpath(await mkdtemp(join(tmpdir(), 'computer-state-')))
  const provider = computerProvider(hub)
  const target: Target = {
    connector: {
      slug: 'computer',
      name: 'Computer',
      provider: 'computer',
      authorization_strategy: 'user',
      auth: null,
      headers: {},
      policies: [],
      default_action: 'risk',
      timeout_seconds: 60,
      idempotency_header: null,
      oauth: { client_id: null, scopes: [] },
      inline: true,
    },
    credential: null,
    external_ref: 'connection-1',
    readFile: async () => null,
  }
  const ends: (() => Promise<void>)[] = []
  let ids = 0

  return {
    hub,
    provider,
    target,
    folder,
    state,
    upgrades,
    url,
    journal: join(state, 'calls.jsonl'),
    /** Connections break, and nothing says so to the computer but the network. */
    breakConnections: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    /** A computer that serves `folder`, until `stop`; `ended` is how its run ends. */
    async serve(more: Partial<ServeOptions> = {}) {
      const controller = new AbortController()
      const ended = serveComputer({
        url,
        token: async () => 'good',
        name: 'laptop',
        root: folder,
        allow_shell: false,
        mcp: [],
        journal: join(state, 'calls.jsonl'),
        signal: controller.signal,
        pauseAfter: () => 10,
        ...more,
      })
      ended.catch(() => {})
      const stop = async () => {
        controller.abort()
        await ended.catch(() => {})
      }
      ends.push(stop)
      return { ended, stop }
    },
    async online() {
      await expect.poll(() => hub.tools('connection-1')).not.toBeNull()
    },
    async offline() {
      await expect.poll(() => hub.tools('connection-1')).toBeNull()
    },
    call(action: string, args: Record<string, unknown>, options: Partial<CallOptions> = {}) {
      const idempotency_key = `call-${++ids}`
      const signal = AbortSignal.timeout(60_000)
      const all = { idempotency_key, signal, beforeSend: async () => {}, ...options }
      return provider.call(target, { action, binding: {}, risk: 'read' }, args, all)
    },
    async close() {
      for (const end of ends) await end()
      await hub.close()
      server.closeAllConnections()
      server.close()
      for (const path of [folder, state]) await rm(path, { recursive: true })
    },
  }
}
