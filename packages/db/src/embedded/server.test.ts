import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endServer } from './server.ts'

/** A server that does not come to an end by itself once it is asked to. */
async function slowServer() {
  const child = spawn('sh', ['-c', "trap 'echo asked' INT; echo up; while :; do sleep 0.05; done"], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'close').then(() => undefined)
  await once(child.stdout, 'data')
  return { child, exited, asked: () => once(child.stdout, 'data') }
}

test('a server that takes long over its end is ended at once when there is a force', async () => {
  const { child, exited, asked } = await slowServer()
  const force = new AbortController()
  const ended = endServer(child, exited, force.signal)
  expect(String((await asked())[0])).toBe('asked\n')
  expect(child.signalCode).toBeNull()
  force.abort()
  await ended
  expect(child.signalCode).toBe('SIGQUIT')
})

test('where there is a force already, it is not waited for', async () => {
  const { child, exited } = await slowServer()
  await endServer(child, exited, AbortSignal.abort())
  expect(child.signalCode).toBe('SIGQUIT')
})
