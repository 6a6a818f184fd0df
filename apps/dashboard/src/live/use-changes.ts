import { type ChangeEvent, type Client, isApiError } from '@svc/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { isAway, listenAway, setAway } from './away.ts'
import { keepOn } from './keep-on.ts'
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
    const onMessage = ({ data }: MessageEvent<ChangeEvent | 'away'>) =>
      data === 'away' ? setAway(true) : readAgain(queries, data)
    channel?.addEventListener('message', onMessage)
    // A tab that asks for nothing would not find out.
    const leave = listenAway(() => {
      if (isAway()) channel?.postMessage('away')
    })
    const onEvent = (event: ChangeEvent) => {
      channel?.postMessage(event)
      readAgain(queries, event)
    }
    void lead(ended.signal, () =>
      keepOn(ended.signal, async () => {
        if (!(await follow(client, ended.signal, onEvent))) ended.abort()
      }),
    )
    return () => {
      ended.abort()
      leave()
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

/** False once it is refused: signed out, or a token of one project, which reads what it shows when it is opened. */
async function follow(client: Client, signal: AbortSignal, onEvent: (event: ChangeEvent) => void) {
  try {
    for await (const event of client.changes({ signal, max_reconnects: 0 })) onEvent(event)
    return true
  } catch (error) {
    if (isApiError(error) && error.status < 500 && error.status !== 429) return false
    throw error
  }
}
