import { useSyncExternalStore } from 'react'
import { createListeners } from '../live/listeners.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'svc.theme'
const { listen, notify } = createListeners()

/** The theme that the person chose in this browser; `first-paint.js` reads the same key. */
function chosen(): Theme {
  const kept = document.documentElement.dataset['theme']
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function useTheme(): Theme {
  return useSyncExternalStore(listen, chosen)
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(key, theme)
    document.documentElement.dataset['theme'] = theme
  }
  notify()
}
