import { useEffect } from 'react'
import { useWaitingCount } from './use-count.ts'

/** The number of what waits for the person, on the icon of the tab; the icon alone where nothing waits. */
export function useIconBadge(): void {
  const waiting = useWaitingCount()
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('#icon')
    if (link === null || waiting === 0) return
    const plain = link.href
    let made: string | null = null
    let gone = false
    void import('./icon-badge.ts').then(({ badgedIcon }) => {
      if (gone) return
      made = badgedIcon(waiting, document.documentElement)
      link.href = made
    })
    return () => {
      gone = true
      link.href = plain
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [waiting])
}
