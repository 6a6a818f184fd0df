import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { type AgentCommand, matchingCommands, typedCommand, withCommand } from './command-completion.ts'

interface Options {
  readonly commands: readonly AgentCommand[]
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Completion of the agent's commands in a field: the list while one is typed, and the field's part in it. */
export function useCommands({ commands, text, onChange }: Options) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [index, setIndex] = useState(0)
  /** The text at which the list was closed by Escape. */
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const nextCaret = useRef<number | null>(null)
  const typed = caret === null || closedAt === text ? null : typedCommand(text, caret)
  const found = typed === null ? [] : matchingCommands(commands, typed)
  const active = Math.min(index, found.length - 1)
  const open = found.length > 0
  const optionId = (at: number) => `${id}-${at}`

  useLayoutEffect(() => {
    if (nextCaret.current === null) return
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = null
  }, [text])
  useEffect(() => {
    if (open) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, open, active])

  const pick = (command: AgentCommand) => {
    const next = withCommand(text, command.name)
    nextCaret.current = next.caret
    setCaret(next.caret)
    setIndex(0)
    onChange(next.text)
  }
  const look = () => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    setCaret(selectionStart === selectionEnd ? selectionStart : null)
  }
  /** True where the key was one of the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    const command = found[active]
    if (event.key === 'ArrowDown') setIndex((active + 1) % found.length)
    else if (event.key === 'ArrowUp') setIndex((active - 1 + found.length) % found.length)
    else if (event.key === 'Escape') setClosedAt(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && command !== undefined) pick(command)
    else return false
    event.preventDefault()
    return true
  }
  return {
    list: { id: `${id}-list`, found, active, optionId, pick, open },
    onKey,
    field: {
      ref: field,
      onSelect: look,
      onFocus: look,
      onBlur: () => setCaret(null),
      ...(commands.length === 0 ? {} : fieldRole),
      ...(open ? { 'aria-controls': `${id}-list`, 'aria-activedescendant': optionId(active) } : {}),
    },
    /** A changed text has its first match at hand. */
    onText: () => {
      setIndex(0)
      setClosedAt(null)
    },
  }
}

/** A field of several lines stays a textbox: `combobox` is a role of a single line. */
const fieldRole = { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' } as const
