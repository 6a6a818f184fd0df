import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs, noUpgrade } from '@svc/timing'
import { connectLoopback } from '../network/connect-loopback.ts'

const firstMs = 250
const maxMs = 2_000
/** A port that refuses is asked sooner: nothing of it reaches the program, and visitors wait for the answer. */
const firstRefusedMs = 25
const answerMs = 10_000
/** A program whose port accepts may be about to end over its first work. */
const settleMs = 1_000

export interface ReadinessParts {
  readonly port: number
  readonly path: string | null
  /** Aborted once the program ended, or has had its time. */
  readonly signal: AbortSignal
}

/** True once the program answers; false when the signal came first. */
export async function awaitReady({ port, path, signal }: ReadinessParts): Promise<boolean> {
  const settled = path === null ? pause(settleMs, signal) : Promise.resolve()
  for (let refusals = 0, attempt = 0; !signal.aborted;) {
    const ready = path === null ? await accepts(port) : await answers(port, path, signal)
    if (ready === true) {
      await settled
      return !signal.aborted
    }
    const wait =
      ready === 'refused'
        ? backOffMs(refusals++, firstRefusedMs, firstMs)
        : backOffMs(attempt++, firstMs, maxMs)
    await pause(wait, signal)
  }
  return false
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

async function accepts(port: number): Promise<true | 'refused'> {
  const socket = await connectLoopback(port).catch(() => null)
  socket?.destroy()
  return socket === null ? 'refused' : true
}

async function answers(port: number, path: string, signal: AbortSignal): Promise<boolean | 'refused'> {
  const socket = await connectLoopback(port).catch(() => null)
  if (socket === null) return 'refused'
  return new Promise((resolve) => {
    const asked = request({
      path,
      headers: { host: `localhost:${port}`, connection: 'close', 'user-agent': 'svc-appd' },
      createConnection: () => socket,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    })
    asked.once('response', ({ statusCode = 0 }) => {
      asked.destroy()
      resolve(statusCode >= 200 && statusCode < 400)
    })
    noUpgrade(asked)
      .on('error', () => resolve(false))
      .end()
  })
}
