/**
 * A daemon for tests, as the text of one ESM file: answers with its environment, and runs what it is told in the
 * sandbox.
 */
export const stubAgent = `
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const { SVC_SANDBOX_ADDRESS: host, SVC_SERVICE_PORT: port, SVC_LISTEN_FD: fd } = process.env
const answers = {
  '/env': () => process.env,
  '/run': (command) =>
    new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      child.on('close', (code) => resolve({ code, output }))
    }),
  '/leave-behind': (command) => {
    spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'ignore', env: {} }).unref()
    return {}
  },
  '/exit': (code) => {
    setImmediate(() => process.exit(Number(code)))
    return {}
  },
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const answer = answers[request.url]
  response.statusCode = answer === undefined ? 404 : 200
  response.end(JSON.stringify(answer === undefined ? {} : await answer(body)))
})
const place = fd === undefined ? { host, port: Number(port) } : { fd: Number(fd) }
server.listen(place, () => console.log('stub agent listening on ' + host + ':' + port))
`
