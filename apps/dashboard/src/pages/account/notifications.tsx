import { useState } from 'react'
import { useInbox } from '../../inbox/use-inbox.ts'
import { notificationsWanted, switchNotifications } from '../../live/notifications.ts'

const refused =
  'This browser refuses notifications of this page. Allow them in its settings of this site, then switch them on here.'

/** Notifications of this browser, off until the person switches them on. */
export function Notifications() {
  const { data } = useInbox()
  const [on, setOn] = useState(notificationsWanted)
  const [problem, setProblem] = useState('')
  const can = 'Notification' in globalThis
  const turn = async (wanted: boolean) => {
    setProblem('')
    const now = await switchNotifications(wanted, data?.items ?? [])
    setOn(now)
    if (wanted && !now) setProblem(refused)
  }
  return (
    <section className="grid max-w-md gap-2">
      <h2>Notifications</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          disabled={!can}
          onChange={({ target }) => void turn(target.checked)}
        />
        Tell me in this browser when something needs me
      </label>
      <p className="hint">
        {can
          ? 'Once for each question, request or failure, while a page of the dashboard is open.'
          : 'This browser shows no notifications of pages without https.'}
      </p>
      {problem !== '' && (
        <p role="alert" className="notice warn">
          {problem}
        </p>
      )}
    </section>
  )
}
