import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseContext } from '@svc/context'
import { connectDaemon, type SandboxEndpoint } from '@svc/sandbox'
import type { FirstRepository } from './first-repository.ts'

export interface RepositoryToSend {
  /**
   * Begins to send it to a daemon whose environment announces it. A failure is harmless: a daemon that got nothing
   * asks its origin.
   */
  sendTo(endpoint: SandboxEndpoint, environment: Readonly<Record<string, string>>): void
  /** Gives up sending: the boot no longer waits for it. */
  end(): void
}

/** The pause between two tries to reach a daemon that does not listen yet. */
const pollMs = 20
/** A daemon asks its origin by itself when it was told nothing for a while. */
const timeoutMs = 10_000

/** Gets a new session's repository ready for its daemon while the sandbox is made. */
export function prepareRepository(
  ctx: Pick<BaseContext, 'log'>,
  session_id: string,
  read: () => Promise<FirstRepository>,
): RepositoryToSend {
  const ended = new AbortController()
  const first = read()
  first.catch(() => undefined)

  async function send(endpoint: SandboxEndpoint, service_key: string): Promise<void> {
    const reach = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
    for (;;) {
      const status = await post({ endpoint, service_key, first, signal: ended.signal, reach })
      if (status === 200) return
      if (status !== null) throw new Error(`The daemon answered ${status}`)
      await sleep(pollMs, undefined, { signal: reach })
    }
  }

  return {
    sendTo: (endpoint, { SVC_REPOSITORY_SENT: is_sent, SVC_SANDBOX_TOKEN: service_key }) => {
      if (is_sent !== '1' || service_key === undefined) return
      send(endpoint, service_key).catch((error: unknown) => {
        if (!ended.signal.aborted) ctx.log.warn({ err: error, session_id }, 'a repository was not sent')
      })
    },
    end: () => {
      ended.abort()
      first.then(
        ({ close }) => close(),
        () => undefined,
      )
    },
  }
}

interface Post {
  readonly endpoint: SandboxEndpoint
  /** The key by which the sandbox knows the platform. */
  readonly service_key: string
  readonly first: Promise<FirstRepository>
  readonly signal: AbortSignal
  /** Aborts when a daemon is not worth waiting for any more. */
  readonly reach: AbortSignal
}

/** The answer's status; null when the daemon cannot be reached. The repository is not read before it is reached. */
function post({ endpoint, service_key, first, signal, reach }: Post): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let isReached = false
    const { request, place, headers } = connectDaemon(endpoint)
    const outgoing = request({
      ...place,
      method: 'POST',
      path: '/svc/repository',
      agent: false,
      signal,
      headers: {
        host: 'sandbox',
        ...headers,
        authorization: `Bearer ${service_key}`,
        'content-type': 'application/octet-stream',
        // RFC 9110, 10.1.1: the body waits until the daemon is there to take it.
        expect: '100-continue',
      },
    })
    const giveUp = (): void => void (isReached || outgoing.destroy())
    reach.addEventListener('abort', giveUp, { once: true })
    outgoing.on('close', () => reach.removeEventListener('abort', giveUp))
    outgoing.on('error', (error) => (isReached || signal.aborted ? reject(error) : resolve(null)))
    outgoing.on('continue', () => {
      isReached = true
      first
        .then(({ content }) => pipeline(Readable.from(content, { objectMode: false }), outgoing))
        // A daemon whose upload breaks off asks its origin, and reports what is wrong with it.
        .catch((error: unknown) =>
          outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
        )
    })
    outgoing.on('response', (incoming) => {
      incoming.resume()
      resolve(incoming.statusCode ?? 0)
      // Answered before it had everything: there is nothing more to say.
      if (!outgoing.writableFinished) outgoing.destroy()
    })
    outgoing.flushHeaders()
  })
}
