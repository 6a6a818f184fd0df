import { createServer, type Server } from 'node:http'

/** A daemon that waits for a session, or was given one. */
export interface WarmDaemon {
  readonly url: string
  /** The claims that it got, in order. */
  readonly claims: { readonly key: string; readonly environment: Readonly<Record<string, string>> }[]
  /** Refuses its claim, as one does that is not well. */
  refuses: boolean
  close(): Promise<void>
}

/** A daemon for each sandbox of a test, by the order in which their endpoints were asked for. */
export function createWarmDaemons() {
  const daemons = new Map<string, WarmDaemon>()
  const spare: WarmDaemon[] = []
  return {
    /** So many are there before a provider asks: an endpoint is known at once. */
    async prepare(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) spare.push(await startWarmDaemon())
    },
    of: (external_id: string): WarmDaemon => {
      const known = daemons.get(external_id) ?? spare.pop()
      if (known === undefined) throw new Error('Prepare more daemons')
      daemons.set(external_id, known)
      return known
    },
    close: () => Promise.all([...daemons.values(), ...spare].map((daemon) => daemon.close())),
  }
}

async function startWarmDaemon(): Promise<WarmDaemon> {
  const claims: WarmDaemon['claims'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url === '/svc/claim') {
        if (daemon.refuses || claims.length > 0) return answer(409, {})
        const { environment } = JSON.parse(Buffer.concat(chunks).toString())
        claims.push({ key: request.headers.authorization ?? '', environment })
        return answer(200, { ok: true })
      }
      if (claims.length === 0) return answer(200, { status: 'warm', repo: { state: 'waiting' } })
      answer(200, { status: 'ready', repo: { state: 'ready' } })
    })
  })
  const daemon: WarmDaemon = {
    url: await listen(server),
    claims,
    refuses: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return daemon
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
