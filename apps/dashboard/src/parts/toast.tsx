import { useSyncExternalStore } from 'react'
import { createListeners } from '../live/listeners.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const shownMs = 8_000
let toasts: readonly Toast[] = []
let next = 1
const { listen, notify } = createListeners()

/** Says what was done, for eight seconds, with a way back where there is one. */
export function toast(text: string, action?: Toast['action']): void {
  const id = next++
  toasts = [...toasts, { id, text, action }]
  setTimeout(() => dismiss(id), shownMs)
  notify()
}

function dismiss(id: number): void {
  toasts = toasts.filter((one) => one.id !== id)
  notify()
}

export function Toasts() {
  const shown = useSyncExternalStore(listen, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div key={id} className="toast">
          <p>{text}</p>
          {action !== undefined && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
