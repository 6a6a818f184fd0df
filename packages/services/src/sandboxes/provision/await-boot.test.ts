import { createServer } from 'node:http'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { sessionLimits } from '@svc/session'
import { expect, onTestFinished, test } from 'vitest'
import { awaitBoot } from './await-boot.ts'

const minuteMs = 60_000

interface Boot {
  readonly said?: string
  readonly error?: unknown
  readonly after: number
}

/** A daemon that says one state after the other, the last one for ever; a minute passes before each answer. */
async function boot(states: readonly (string | null)[]): Promise<Boot> {
  let time = 0
  let asked = 0
  const server = createServer((_, response) => {
    time += minuteMs
    const state = states[Math.min(asked, states.length - 1)] ?? null
    asked += 1
    if (state === null) return void response.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ repo: { state, error: null } }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const endpoint = { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}` }
  const provider = createMemoryProvider({ endpoint: () => endpoint })
  const { external_id } = await provider.create({ sandbox_id: 'a', environment: {} })
  const { signal } = new AbortController()
  const outcome = awaitBoot({
    provider,
    external_id,
    endpoint,
    has_run: false,
    signal,
    isUnwanted: async () => false,
    now: () => time,
  })
  return outcome.then(
    (said) => ({ said, after: time }),
    (error: unknown) => ({ error, after: time }),
  )
}

test('a clone that takes longer than a boot is waited for', async () => {
  const long = new Array<string>(20).fill('cloning')
  expect(await boot([...long, 'ready'])).toEqual({ said: 'ready', after: 21 * minuteMs })
})

test('a clone that never ends is a timeout that says what it was', async () => {
  const { error, after } = await boot(['cloning'])
  expect(error).toMatchObject({ failure: { category: 'timeout', retryable: true } })
  expect(String(error)).toContain('The repository was not cloned in time')
  expect(after).toBe(sessionLimits.cloneMs)
})

test.each([
  ['never answers', [null], sessionLimits.bootMs],
  ['falls silent in its clone', ['cloning', 'cloning', null], 2 * minuteMs + sessionLimits.bootMs],
])('a daemon that %s is a timeout', async (_, states, most) => {
  const { error, after } = await boot(states)
  expect(String(error)).toContain('The sandbox did not become ready in time')
  expect(after).toBe(most)
})
