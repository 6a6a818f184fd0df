import { useQueryClient } from '@tanstack/react-query'
import { ConnectionError } from '@svc/sdk'
import { useEffect, useSyncExternalStore } from 'react'
import { isAway, listenAway, setAway } from './away.ts'

const firstMs = 1_000
/** With its jitter less than ten seconds, after which the page is whole again. */
const maxMs = 5_000

/** One line while the platform is away; it asks again by itself, and reads the page anew once there is an answer. */
export function ConnectionLine() {
  const queries = useQueryClient()
  const away = useSyncExternalStore(listenAway, isAway)
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        // What failed before keeps its error until it is read again, which is no news.
        const failed = event.type === 'updated' && event.action.type === 'error' ? event.action.error : null
        if (failed instanceof ConnectionError) setAway(true)
      }),
    [queries],
  )
  useEffect(() => {
    if (!away) return
    let due: ReturnType<typeof setTimeout>
    const ask = async (delay: number) => {
      clearTimeout(due)
      try {
        const answer = await fetch('/v1/health')
        if (answer.ok) {
          setAway(false)
          return void queries.invalidateQueries()
        }
      } catch {
        // Still away.
      }
      due = setTimeout(() => void ask(Math.min(maxMs, delay * 2)), delay * (0.75 + Math.random() / 2))
    }
    const askNow = () => void ask(firstMs)
    due = setTimeout(askNow, firstMs)
    window.addEventListener('online', askNow)
    return () => {
      clearTimeout(due)
      window.removeEventListener('online', askNow)
    }
  }, [away, queries])
  return (
    <div role="status">
      {away && (
        <p className="notice warn m-2">
          The platform does not answer. This page goes on by itself as soon as it does; what you write is
          kept.
        </p>
      )}
    </div>
  )
}
