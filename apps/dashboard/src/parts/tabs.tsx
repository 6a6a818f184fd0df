import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<K extends string> {
  readonly key: K
  readonly label: string
  readonly count?: number | undefined
}

interface Props<K extends string> {
  readonly label: string
  readonly tabs: readonly Tab<K>[]
  readonly value: K
  readonly onChange: (key: K) => void
  readonly children: ReactNode
}

/** Tabs with the one panel that is chosen; the arrows, Home and End choose another. */
export function Tabs<K extends string>({ label, tabs, value, onChange, children }: Props<K>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ key }) => key === value)
    const next =
      event.key === 'ArrowRight'
        ? (at + 1) % tabs.length
        : event.key === 'ArrowLeft'
          ? (at + tabs.length - 1) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? tabs.length - 1
              : -1
    const chosen = tabs[next]
    if (chosen === undefined) return
    event.preventDefault()
    onChange(chosen.key)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]').item(next).focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} className="tabs" ref={list} onKeyDown={move}>
        {tabs.map(({ key, label: name, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${key}`}
            aria-selected={key === value}
            aria-controls={`${id}-panel`}
            tabIndex={key === value ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {name}
            {count !== undefined && <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={0}
        className="grid min-w-0 gap-4 outline-none"
      >
        {children}
      </div>
    </>
  )
}
