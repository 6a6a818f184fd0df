/** A program with what visitors of apps do: pages, bodies, streams, other protocols, and ends of every kind. */
export const smallApp = `
import { createServer } from 'node:http'
const { PORT, HOST } = process.env
let waitsForReady = Number(process.env.READY_AFTER ?? 0)
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://app')
  switch (pathname) {
    case '/': return response.end('hello')
    case '/ready':
      waitsForReady -= 1
      return response.writeHead(waitsForReady < 0 ? 200 : 503).end()
    case '/env': return response.end(JSON.stringify(process.env))
    case '/whoami': return response.end(JSON.stringify({ pid: process.pid, ppid: process.ppid, uid: process.getuid(), cwd: process.cwd() }))
    case '/echo': return request.pipe(response)
    case '/print':
      console.log(searchParams.get('out') ?? '')
      console.error(searchParams.get('err') ?? '')
      return response.end()
    case '/flood':
      for (let n = 0; n < Number(searchParams.get('lines')); n += 1) process.stdout.write('line ' + n + '\\n')
      return response.end()
    case '/events': {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let n = 0
      const timer = setInterval(() => response.write('data: ' + n++ + '\\n\\n'), 50)
      return response.on('close', () => clearInterval(timer))
    }
    case '/exit': response.end(); return setTimeout(() => process.exit(Number(searchParams.get('code'))), 20)
    default: return response.writeHead(404).end()
  }
})
server.on('upgrade', (request, socket, head) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n')
  socket.write(head)
  socket.pipe(socket)
})
server.listen(Number(PORT), HOST, () => console.log('listens on ' + PORT))
`
