import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { failedStart } from './failed-start.ts'

test('a port that is taken is told in words, with the setting that names it; any other fault as it is', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = Object(taken.address())
  const second = createServer().listen(port, '127.0.0.1')
  const error: unknown = await once(second, 'listening').catch((reason: unknown) => reason)
  taken.close()
  const said: unknown[] = []
  const log = { fatal: (...words: unknown[]) => void said.push(words) }
  failedStart(log, { SVC_INTERNAL_PORT: 1, SVC_PORT: port })(error)
  failedStart(log, { SVC_INTERNAL_PORT: 1 })(error)
  expect(said).toEqual([
    [
      `Port ${port} on 127.0.0.1 is taken. Stop what uses it, this platform itself perhaps, or choose another: SVC_PORT=${port + 100}`,
    ],
    [{ err: error }, 'The start failed'],
  ])
})
