import { useEffect, useState } from 'react'
import { clock } from '../parts/relative-time.ts'

const tickMs = 1_000

/** A running clock. */
export function Elapsed({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(tick)
  }, [])
  return <span aria-live="off">{clock(Math.max(0, now - Date.parse(since)))}</span>
}
