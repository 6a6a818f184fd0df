import type { IncomingMessage } from 'node:http'
import type { EventEmitter } from 'node:events'
import { wantsPage } from './pages.ts'
import type { Instance, Refused, Sleeper } from './places/place.ts'
import type { Refusal } from './refuse.ts'

/** A page is shown meanwhile to a person who looks; it asks again by itself. */
const pageMs = 1500

const starting: Refusal = {
  code: 'app_starting',
  message: 'The app is starting, and did not answer in time. Try again in a moment.',
  details: { retry_after: 2 },
}

const notForAhead: Refusal = {
  code: 'app_starting',
  message: 'The app sleeps, and is not woken for what is fetched ahead.',
  details: { retry_after: 2 },
}

/** `page`: the visitor is shown that it starts. */
export type Held =
  | { readonly kind: 'instance'; readonly instance: Instance }
  | { readonly kind: 'refused'; readonly refusal: Refusal | Refused }
  | { readonly kind: 'page' }
  | { readonly kind: 'left' }

/** Holds a visitor, body unread, until the app answers. */
export async function hold(
  sleeper: Sleeper,
  request: IncomingMessage,
  connection: EventEmitter & { readonly destroyed: boolean },
  wake_ms: number,
): Promise<Held> {
  if (isAhead(request)) return { kind: 'refused', refusal: notForAhead }
  const looks = request.method === 'GET' && wantsPage(request)
  const gone = new AbortController()
  const leave = () => gone.abort()
  connection.once('close', leave)
  const woken = await sleeper.wake(looks ? Math.min(pageMs, wake_ms) : wake_ms, gone.signal)
  connection.off('close', leave)
  if (connection.destroyed || gone.signal.aborted) return { kind: 'left' }
  if (woken === null) return looks ? { kind: 'page' } : { kind: 'refused', refusal: starting }
  return 'kind' in woken ? { kind: 'refused', refusal: woken } : { kind: 'instance', instance: woken }
}

/** True for what a browser fetches in case its person goes there. */
function isAhead({ headers }: IncomingMessage): boolean {
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].flat().join(' ')
  return /\b(?:prefetch|prerender|preview)\b/i.test(purpose)
}
