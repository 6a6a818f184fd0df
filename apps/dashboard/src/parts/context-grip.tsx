import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'

const key = 'svc.context-width'
const min = 280
const max = 720
const first = 360

/** The left edge of the context, drawn with a pointer or with the arrows; its place is remembered in this browser. */
export function ContextGrip() {
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(key) ?? first)))
  useEffect(() => {
    document.documentElement.style.setProperty('--context-width', `${width}px`)
    localStorage.setItem(key, String(width))
  }, [width])
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 1) setWidth(within(innerWidth - event.clientX))
  }
  const press = ({ key: pressed }: KeyboardEvent) => {
    const step = pressed === 'ArrowLeft' ? 24 : pressed === 'ArrowRight' ? -24 : 0
    if (step !== 0) setWidth(within(width + step))
  }
  return (
    <div
      className="context-grip"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the context"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  )
}

function within(width: number): number {
  return Number.isFinite(width) ? Math.min(max, Math.max(min, Math.round(width))) : first
}
