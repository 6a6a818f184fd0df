import type { Log } from '../log.ts'
import type { TurnAnswer } from './platform-api.ts'

export interface Lease {
  /** Called on every change; the first heartbeat of a busy time goes out at once. */
  setBusy(busy: boolean): void
  readonly busy: boolean
  close(): void
}

/**
 * Keeps the sandbox alive while the agent works. Each beat also touches the provider's edge, and with the address of an
 * earlier answer when the platform is away.
 */
export function createLease(parts: {
  readonly heartbeat: () => Promise<TurnAnswer>
  readonly release: () => void
  readonly touch: (url: string, headers: Record<string, string>) => Promise<void>
  readonly everyMs: number
  readonly log: Log
}): Lease {
  let timer: NodeJS.Timeout | null = null
  let edge: { url: string; headers: Record<string, string> } | null = null

  async function beat(): Promise<void> {
    try {
      const { provider_url: url, provider_headers: headers = {} } = await parts.heartbeat()
      edge = url === undefined ? null : { url, headers }
    } catch (error) {
      parts.log.warn('a lease heartbeat was not received', { error })
    }
    if (edge) await parts.touch(edge.url, edge.headers).catch(() => undefined)
  }

  const stop = (): void => {
    if (timer) clearInterval(timer)
    timer = null
  }
  return {
    setBusy: (busy) => {
      if (busy === (timer !== null)) return
      if (busy) {
        timer = setInterval(() => void beat(), parts.everyMs)
        void beat()
      } else {
        stop()
        parts.release()
      }
    },
    get busy() {
      return timer !== null
    },
    close: stop,
  }
}
