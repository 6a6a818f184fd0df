import { useSyncExternalStore } from 'react'
import { relativeTime } from './relative-time.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const tickMs = 15_000

let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
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

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
