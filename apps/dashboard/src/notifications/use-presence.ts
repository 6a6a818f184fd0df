import { useEffect } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'

const everyMs = 20_000

/** Says that this page shows the session, while it is visible: what is told of it is then not mailed or pushed as well. */
export function usePresence(project_id: string, session_id: string): void {
  const client = useClient()
  useEffect(() => {
    const say = () => {
      if (document.visibilityState !== 'visible') return
      // It only keeps a person from being told twice: a page that cannot say so works as well.
      void client.notifications.present(project_id, session_id).catch(() => undefined)
    }
    say()
    const timer = setInterval(say, everyMs)
    document.addEventListener('visibilitychange', say)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
    }
  }, [client, project_id, session_id])
}
