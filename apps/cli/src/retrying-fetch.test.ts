import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { retryingFetch } from './retrying-fetch.ts'

const patient = retryingFetch((url, init) => fetch(url, init))

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
  const counting = retryingFetch(async (url, init) =>
    fetch(url, init).catch((error: unknown) => {
      refused += 1
      if (refused === 2) server.listen(port, '127.0.0.1')
      throw error
    }),
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
