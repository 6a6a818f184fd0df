import { type TouchEvent, useRef } from 'react'

/** A finger goes at least so far, and mostly sideways: else it scrolls. */
const least = 60
const steepest = 0.5

/** True for a way of a finger that is a swipe. */
export function isSwipe(x: number, y: number): boolean {
  return Math.abs(x) >= least && Math.abs(y) <= Math.abs(x) * steepest
}

/** Handlers for swipes to the left and to the right by one finger. */
export function useSwipe({ onLeft, onRight }: { readonly onLeft: () => void; readonly onRight: () => void }) {
  const began = useRef<{ readonly x: number; readonly y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      began.current =
        touch === undefined || touches.length > 1 ? null : { x: touch.clientX, y: touch.clientY }
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      const from = began.current
      began.current = null
      if (touch === undefined || from === null) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      if (isSwipe(x, y)) (x < 0 ? onLeft : onRight)()
    },
  }
}
