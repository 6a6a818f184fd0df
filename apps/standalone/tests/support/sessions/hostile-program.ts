/**
 * A program that an agent might build: pages, an echo of each request, and a WebSocket that answers in capitals. It
 * keeps every cookie that it is sent, and tries to leave some of the platform's.
 */
export const hostileProgram = `
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
const seen = []
const tossed = ['/', '/v1/oauth', '/v1/auth/sso'].flatMap((path) =>
  ['svc_oauth=TOSSED', '=svc_oauth=TOSSED', 'svc_sso=TOSSED'].map((cookie) => cookie + '; Path=' + path))
const server = createServer((req, res) => {
  if (req.url === '/stream') {
    res.write('first')
    req.on('close', () => console.log('left'))
    return
  }
  if (req.headers.cookie !== undefined) seen.push(req.headers.cookie)
  if (req.url === '/page') {
    res.writeHead(200, { 'content-type': 'text/html', 'set-cookie': ['theirs=1', ...tossed] })
    return res.end('<!doctype html><title>Preview</title><script>document.title = "Runs"</script>')
  }
  let body = ''
  req.on('data', (chunk) => (body += chunk))
  req.on('end', () => {
    res.writeHead(req.url.startsWith('/teapot') ? 418 : 200, { 'content-type': 'application/json', 'set-cookie': ['a=b', ...tossed] })
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body, seen }))
  })
})
server.on('upgrade', (req, socket) => {
  if (req.headers.cookie !== undefined) seen.push(req.headers.cookie)
  const accept = createHash('sha1').update(req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n' + tossed.map((cookie) => 'Set-Cookie: ' + cookie + '\\r\\n').join('') + '\\r\\n')
  socket.on('data', (frame) => {
    if ((frame[0] & 15) !== 1) return socket.end()
    const mask = frame.subarray(2, 6)
    const text = Buffer.from(frame.subarray(6, 6 + (frame[1] & 127)).map((byte, index) => byte ^ mask[index % 4])).toString()
    const answer = Buffer.from(text.toUpperCase() + ' ' + req.url)
    socket.write(Buffer.concat([Buffer.from([129, answer.length]), answer]))
  })
})
server.listen(3000, () => console.log('listening'))
`
