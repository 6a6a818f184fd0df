import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useNextItem } from '../inbox/use-next-item.ts'
import { commands } from '../pages/index.ts'
import { isTyping } from './is-typing.ts'
import { useProjectId } from './use-project.ts'

interface Actions {
  readonly onPalette: () => void
  readonly onShortcuts: () => void
}

const pairMs = 1_200

/** The keys that work on every page: the palette, the shortcuts, the next that waits, and the places by two letters. */
export function useKeys({ onPalette, onShortcuts }: Actions): void {
  const navigate = useNavigate()
  const project_id = useProjectId()
  const next = useNextItem()
  const pressed = useEffectEvent((event: KeyboardEvent, before: string): void => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onPalette()
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.key === '?') return onShortcuts()
    const both = `${before} ${event.key}`
    const command = commands.find(({ keys }) => keys === both)
    if (command !== undefined) {
      if (!command.to.includes('$project_id')) return void navigate({ to: command.to })
      if (project_id !== undefined) return void navigate({ to: command.to, params: { project_id } })
    }
    if (event.key === 'n' && before !== 'g') next()
  })
  useEffect(() => {
    let before = ''
    let at = 0
    const listen = (event: KeyboardEvent) => {
      pressed(event, event.timeStamp - at < pairMs ? before : '')
      before = event.key
      at = event.timeStamp
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
