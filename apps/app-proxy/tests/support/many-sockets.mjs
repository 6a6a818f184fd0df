import { createServer } from 'node:http'
import { connect } from 'node:net'

/** A process of its own for one end of many connections: each has as many files as the proxy between them. */
const [role, port, count] = process.argv.slice(2)
const agreed = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
const asked = 'GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

if (role === 'app') {
  const server = createServer((_request, response) => response.end('hello'))
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined)
    socket.write(agreed)
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1', 2048, () => process.send(server.address().port))
} else {
  const sockets = []
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(asked))
      socket.once('error', reject)
      socket.once('data', (head) =>
        String(head).startsWith('HTTP/1.1 101') ? resolve(socket) : reject(head),
      )
    })
  let left = Number(count)
  const worker = async () => {
    while (left > 0) {
      left -= 1
      sockets.push(await open())
    }
  }
  await Promise.all(Array.from({ length: 100 }, worker))
  process.send(sockets.length)
  process.once('message', async () => {
    const echo = (socket) =>
      new Promise((resolve) => {
        socket.once('data', (said) => resolve(String(said)))
        socket.write('ping')
      })
    const said = await Promise.all(sockets.filter((_, n) => n % 10 === 0).map(echo))
    process.send(said.every((one) => one === 'ping') ? said.length : 0)
  })
}
