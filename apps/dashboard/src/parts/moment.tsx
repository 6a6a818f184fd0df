import { useSyncExternalStore } from 'react'
import { createListeners } from '../live/listeners.ts'
import { relativeTime } from './relative-time.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const tickMs = 15_000

let now = Date.now()
const { listen, notify } = createListeners()
setInterval(() => {
  now = Date.now()
  notify()
}, tickMs)

/** The time since an instant or until it, with the exact instant on hover; a dash for none. */
export function Moment({ at }: { readonly at: string | null }) {
  const reference = useSyncExternalStore(listen, () => now)
  if (at === null) return <>–</>
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className="whitespace-nowrap">
      {relativeTime(Date.parse(at), Math.max(reference, now))}
    </time>
  )
}

/** The instant itself, in the reader's time zone. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {exact.format(new Date(at))}
    </time>
  )
}
