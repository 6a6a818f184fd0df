import { useEffect, useLayoutEffect, useRef, useState } from 'react'

const nearPx = 120

/**
 * Keeps the end in sight while the reader is there, also when something comes below it; one who scrolled up is left
 * where they are.
 */
export function useFollow(grown: unknown, below: unknown) {
  const end = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement
      setAtEnd(scrollHeight - innerHeight - scrollY < nearPx)
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  const toEnd = (behavior: ScrollBehavior = 'auto') =>
    scrollTo({ top: document.documentElement.scrollHeight, behavior })
  useLayoutEffect(() => {
    if (atEnd) toEnd()
  }, [grown, below, atEnd])
  return { end, atEnd, toEnd }
}
