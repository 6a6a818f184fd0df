import { useEffect, useState } from 'react'

const delayMs = 30_000

/** False once the page was hidden for half a minute: streams end then, and go on when it is seen again. */
export function useSeen(): boolean {
  const [seen, setSeen] = useState(true)
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      clearTimeout(due)
      if (document.visibilityState === 'visible') setSeen(true)
      else due = setTimeout(() => setSeen(false), delayMs)
    }
    document.addEventListener('visibilitychange', changed)
    return () => {
      document.removeEventListener('visibilitychange', changed)
      clearTimeout(due)
    }
  }, [])
  return seen
}
