import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useInbox } from '../inbox/use-inbox.ts'
import { markOf, notificationsWanted, takeUntold } from './page-open.ts'

/** Tells of what waits, once for each version of it, where the person switched that on. */
export function usePageOpenNotifications(): void {
  const items = useInbox().data?.items
  const navigate = useNavigate()
  useEffect(() => {
    if (items === undefined || !notificationsWanted()) return
    for (const item of takeUntold(items)) {
      // The tag makes one of two tabs that were equally fast.
      const shown = new Notification(item.title, {
        body: `${item.phrase}\n${item.project_name ?? ''}`.trim(),
        tag: markOf(item),
      })
      shown.addEventListener('click', () => {
        window.focus()
        shown.close()
        void navigate({ to: item.path })
      })
    }
  }, [items, navigate])
}
