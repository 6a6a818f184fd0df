import { backOffMs } from '@svc/timing'
import { sleep } from '../http/sleep.ts'
import type { Http } from '../http/transport.ts'
import type { ChangeEvent } from '../types.ts'
import { eventStreamBody, isPassing, type StreamOptions } from './resumed-stream.ts'
import { readSse } from './read-sse.ts'

const firstDelayMs = 1_000
const maxDelayMs = 30_000

/**
 * Changes in the caller's projects, across any number of connections. Each begins with `hello`: what was told in
 * between is lost, so read again what you show.
 */
export async function* changesStream(
  http: Http,
  options: Omit<StreamOptions, 'after'>,
): AsyncGenerator<ChangeEvent, void, undefined> {
  let failures = 0
  for (;;) {
    let waitMs = 0
    try {
      const response = await http.open({
        method: 'GET',
        path: '/v1/changes',
        headers: { accept: 'text/event-stream' },
        signal: options.signal,
        request_id: options.request_id,
      })
      const body = eventStreamBody(response)
      failures = 0
      const { signal, idle_timeout_ms = 45_000 } = options
      for await (const { data } of readSse(body, { onRetry: () => undefined, idle_timeout_ms, signal })) {
        const event = changeEvent(data)
        if (event !== null) yield event
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failures += 1
      if (failures > (options.max_reconnects ?? 10)) throw error
      waitMs = backOffMs(failures - 1, firstDelayMs, maxDelayMs)
    }
    await sleep(waitMs, options.signal)
  }
}

function changeEvent(data: string): ChangeEvent | null {
  try {
    const value: unknown = JSON.parse(data)
    return isChangeEvent(value) ? value : null
  } catch {
    return null
  }
}

function isChangeEvent(value: unknown): value is ChangeEvent {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return value.type === 'hello' || (value.type === 'changed' && 'kind' in value && 'id' in value)
}
