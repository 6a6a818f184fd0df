import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connectDaemon } from '../connect-daemon.ts'
import type { SandboxEndpoint } from '../provider.ts'

const timeoutMs = 45_000

/** Asks again until the answer suits; slow machines only take longer. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  suits: (answer: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (suits(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(`Waited in vain for: ${what}. Last seen: ${JSON.stringify(answer)}`)
    await sleep(20)
  }
}

/** One request to a stub daemon; rejects when none answers. */
export async function post(endpoint: SandboxEndpoint, path: string, body: string): Promise<unknown> {
  const { request, place, headers } = connectDaemon(endpoint)
  const outgoing = request({ ...place, headers, path, method: 'POST', agent: false })
  const answered = once(outgoing, 'response')
  outgoing.end(body)
  const [response]: unknown[] = await answered
  if (!(response instanceof IncomingMessage)) throw new Error('This is no answer')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return JSON.parse(text)
}

/** Calls the stub daemon once it answers. */
export async function call(endpoint: SandboxEndpoint, path: string, body = ''): Promise<unknown> {
  const ask = () => post(endpoint, path, body).catch(() => null)
  return until(`${endpoint.url}${path}`, ask, (answer) => answer !== null)
}

const Environment = z.record(z.string(), z.string())
const Ran = z.object({ code: z.number().nullable(), output: z.string() })

export async function environmentOf(endpoint: SandboxEndpoint): Promise<Readonly<Record<string, string>>> {
  return Environment.parse(await call(endpoint, '/env'))
}

export async function runIn(endpoint: SandboxEndpoint, command: string): Promise<z.infer<typeof Ran>> {
  return Ran.parse(await call(endpoint, '/run', command))
}
