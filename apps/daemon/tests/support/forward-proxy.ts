import { createServer, request as ask } from 'node:http'
import { connect } from 'node:net'
import { listen } from './listen.ts'

export interface ForwardProxy {
  readonly url: string
  /** The names that it was asked for. */
  readonly asked: Set<string>
  close(): Promise<void>
}

/** An HTTP proxy, with tunnels and without, that finds names which no name server knows. */
export async function startForwardProxy(
  host: string,
  known: ReadonlyMap<string, { readonly host: string; readonly port: number }>,
): Promise<ForwardProxy> {
  const asked = new Set<string>()
  const find = (name: string) => {
    asked.add(name)
    return known.get(name)
  }
  const server = createServer((request, response) => {
    const { hostname, pathname, search } = new URL(request.url ?? '/', 'http://nobody.invalid')
    const place = find(hostname)
    if (!place) return void response.writeHead(502).end()
    const { method, headers } = request
    const onward = ask({ ...place, path: `${pathname}${search}`, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request, socket) => {
    const place = find(new URL(`http://${request.url}`).hostname)
    if (!place) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    const onward = connect(place, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const { port, close } = await listen(server, host)
  return { url: `http://${host}:${port}`, asked, close }
}
