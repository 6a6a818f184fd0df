import { once } from 'node:events'
import { createServer } from 'node:http'
import { fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedAgent } from './guarded-agent.ts'
import { RefusedTarget } from './target.ts'

let connections = 0
const server = createServer((req, res) => {
  if (req.url === '/away') res.writeHead(302, { location: '/' })
  res.end(req.headers.host)
})
server.on('connection', () => connections++)
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = Object(server.address()).port
})
afterAll(() => server.close())

const times = { connect_ms: 5_000, headers_ms: 5_000, body_ms: 5_000 }

test('a name that leads into the machine is refused by each connection', async () => {
  const answers = ['8.8.8.8', '127.0.0.1']
  const dispatcher = guardedAgent({ open: [] }, times, () => Promise.resolve([answers.pop() ?? '']))
  const url = `http://models.example:${port}/`
  const refused = await fetch(url, { dispatcher }).catch((error: unknown) => error)
  expect(Object(refused).cause).toBeInstanceOf(RefusedTarget)
})

test.each(['http://127.0.0.1', 'https://[::1]', 'https://169.254.169.254'])(
  '%s is refused without a connection',
  async (url) => {
    const dispatcher = guardedAgent({ open: [] }, times)
    const refused = await fetch(url, { dispatcher }).catch((error: unknown) => error)
    expect(Object(refused).cause).toBeInstanceOf(RefusedTarget)
  },
)

test('a connection goes to the checked address under its name, and serves the next request', async () => {
  const dispatcher = guardedAgent({ open: ['127.0.0.0/8'] }, times, () => Promise.resolve(['127.0.0.1']))
  const before = connections
  for (let n = 0; n < 5; n++) {
    const answer = await fetch(`http://models.example:${port}/`, { dispatcher })
    expect(await answer.text()).toBe(`models.example:${port}`)
  }
  expect(connections - before).toBeLessThan(3)
  await dispatcher.close()
})
