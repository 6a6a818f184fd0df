import { type ChangeEvent, type Client, isApiError } from '@svc/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { readAgain } from './read-again.ts'

const name = 'svc.changes'

/**
 * Reads again what the page shows once its rows change. One tab of the browser reads the stream and tells the others: a
 * browser has six connections to a host.
 */
export function useChanges(): void {
  const client = useClient()
  const queries = useQueryClient()
  useEffect(() => {
    const ended = new AbortController()
    const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null
    const onMessage = ({ data }: MessageEvent<ChangeEvent>) => readAgain(queries, data)
    channel?.addEventListener('message', onMessage)
    void lead(ended.signal, () =>
      follow(client, ended.signal, (event) => {
        channel?.postMessage(event)
        readAgain(queries, event)
      }),
    )
    return () => {
      ended.abort()
      channel?.close()
    }
  }, [client, queries])
}

/** Waits until no other tab has the stream. Pages without https know no locks: each reads its own. */
async function lead(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run()
  try {
    await navigator.locks.request(name, { signal }, run)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function follow(client: Client, signal: AbortSignal, onEvent: (event: ChangeEvent) => void) {
  try {
    for await (const event of client.changes({ signal, max_reconnects: Infinity })) onEvent(event)
  } catch (error) {
    // Signed out, or a token of one project, which has no such stream: what it shows is read when it is opened.
    if (!signal.aborted && !isApiError(error)) throw error
  }
}
