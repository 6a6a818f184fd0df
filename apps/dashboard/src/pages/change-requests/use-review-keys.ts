import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../frame/is-typing.ts'

/** Keys of a review, each by its letter; none where the person types. */
export function useReviewKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    // Tabs and a tree have uses of their own for the same keys.
    if (event.defaultPrevented || isTyping(event.target)) return
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
