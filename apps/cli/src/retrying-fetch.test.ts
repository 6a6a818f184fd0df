import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { retryingFetch } from './retrying-fetch.ts'

const silent = { wait_ms: 30_000, onWait: () => undefined }
const patient = retryingFetch((url, init) => fetch(url, init), silent)

test('what is refused waits until the platform is there, and is sent once', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  server.close()
  await once(server, 'close')
  let refused = 0
  const counting = retryingFetch(
    async (url, init) =>
      fetch(url, init).catch((error: unknown) => {
        refused += 1
        if (refused === 2) server.listen(port, '127.0.0.1')
        throw error
      }),
    silent,
  )
  const answer = await counting(`http://127.0.0.1:${port}/x`, {
    method: 'POST',
    headers: {},
    redirect: 'error',
  })
  expect(answer.status).toBe(200)
  expect(asked).toEqual(['POST /x'])
  expect(refused).toBeGreaterThanOrEqual(2)
  server.close()
  server.closeAllConnections()
})

test('what was sent is never sent again', async () => {
  let asked = 0
  const server = createServer((request) => {
    asked += 1
    request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await expect(
    patient(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {}, redirect: 'error' }),
  ).rejects.toThrow()
  expect(asked).toBe(1)
  server.close()
})

test('waiting ends with its signal', async () => {
  const signal = AbortSignal.timeout(50)
  await expect(
    patient('http://127.0.0.1:1/', { method: 'GET', headers: {}, redirect: 'error', signal }),
  ).rejects.toThrow()
})

test('a read waits while a proxy says when to come again, and a write is told', async () => {
  const told: string[] = []
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const isBack = asked > 2 && request.method === 'GET'
    response.writeHead(isBack ? 200 : 503, isBack ? {} : { 'retry-after': '1' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const telling = retryingFetch((url, init) => fetch(url, init), {
    wait_ms: 30_000,
    onWait: (where) => told.push(where),
  })
  const ask = (method: string) => telling(`http://${host}/`, { method, headers: {}, redirect: 'error' })
  expect((await ask('POST')).status).toBe(503)
  expect(asked).toBe(1)
  expect((await ask('GET')).status).toBe(200)
  expect(asked).toBe(3)
  expect(told).toEqual([])
  asked = -1
  expect((await ask('GET')).status).toBe(200)
  expect(told).toEqual([host])
  server.close()
  server.closeAllConnections()
})

test('without a wait the first refusal is told', async () => {
  const none = retryingFetch((url, init) => fetch(url, init), { wait_ms: 0, onWait: () => undefined })
  await expect(
    none('http://127.0.0.1:1/', { method: 'GET', headers: {}, redirect: 'error' }),
  ).rejects.toThrow()
})
