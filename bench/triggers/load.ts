import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Sender {
  /** Sends one delivery; resolves with its status once the answer is whole. */
  send(): Promise<number>
  close(): void
}

const body = JSON.stringify({
  action: 'opened',
  repository: { full_name: 'acme/shop', private: false },
  head_commit: { id: 'f'.repeat(40), message: 'Mend the cart' },
  sender: { login: 'octocat', id: 583231 },
  padding: 'x'.repeat(700),
})

/** Deliveries as GitHub sends them, each with an id of its own, over connections that stay open. */
export function createSender(url: string, secret: string, connections: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return {
    send: () =>
      new Promise((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'GitHub-Hookshot/bench',
          'x-github-event': 'push',
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': signature,
        }
        const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        })
        sent.once('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Deliveries a second, with as many senders at once as there are connections. */
export async function rate(sender: Sender, connections: number, ms: number): Promise<number> {
  let answered = 0
  const began = performance.now()
  const loop = async () => {
    while (performance.now() - began < ms) {
      await accepted(sender)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return answered / ((performance.now() - began) / 1000)
}

/** The time of each delivery from the moment that it was to be sent, at a fixed rate. */
export async function latencies(sender: Sender, per_second: number, seconds: number): Promise<number[]> {
  const began = performance.now()
  const times: Promise<number>[] = []
  for (let index = 0; index < per_second * seconds; index += 1) {
    const due = began + (index * 1000) / per_second
    const wait = due - performance.now()
    if (wait > 1) await sleep(wait)
    times.push(accepted(sender).then(() => performance.now() - due))
  }
  return Promise.all(times)
}

async function accepted(sender: Sender): Promise<void> {
  const status = await sender.send()
  if (status !== 202) throw new Error(`A delivery was answered with ${status}`)
}
