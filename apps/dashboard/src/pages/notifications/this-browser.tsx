import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useInbox } from '../../inbox/use-inbox.ts'
import { notificationsWanted, switchNotifications } from '../../notifications/page-open.ts'
import { pushSubscription, subscribe, unsubscribe } from '../../notifications/push.ts'
import { Failure } from '../../parts/failure.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const refused =
  'This browser refuses notifications of this page. Allow them in its settings of this site, then switch them on here.'
const key = ['notifications', 'browser']

type State = 'off' | 'pushed' | 'page_open'

/** The state of this browser: pushed to, told by an open page where it has no push service, or off. */
async function stateOf(): Promise<State> {
  if ((await pushSubscription()) !== null) return 'pushed'
  return notificationsWanted() ? 'page_open' : 'off'
}

const words: Readonly<Record<State, string>> = {
  off: 'Off until you switch it on, in each browser by itself.',
  pushed: 'Pushed to this browser, also while no page of the dashboard is open.',
  page_open: 'Told while a page of the dashboard is open: this browser takes no pushes.',
}

/** Notifications in this browser, off until the person switches them on. */
export function ThisBrowser() {
  const client = useClient()
  const queries = useQueryClient()
  const { data: waiting } = useInbox()
  const { data: state = 'off' } = useQuery({ queryKey: key, queryFn: stateOf })
  const [problem, setProblem] = useState('')
  const can = 'Notification' in globalThis
  const turn = useMutation({
    mutationFn: async (wanted: boolean) => {
      setProblem('')
      if (!wanted) {
        await unsubscribe(client)
        await switchNotifications(false, [])
        return
      }
      if ((await Notification.requestPermission()) !== 'granted') return setProblem(refused)
      // One of both: a browser that is pushed to would tell everything twice.
      const pushed = await subscribe(client)
      await switchNotifications(!pushed, waiting?.items ?? [])
    },
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  return (
    <section className="grid max-w-md gap-2">
      <h2>This browser</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={turn.isPending ? turn.variables : state !== 'off'}
          disabled={!can || turn.isPending}
          onChange={({ target }) => turn.mutate(target.checked)}
        />
        Tell me in this browser when something needs me
      </label>
      <p className="hint">
        {can ? words[state] : 'This browser shows no notifications of pages without https.'}
      </p>
      {problem !== '' && (
        <p role="alert" className="notice warn">
          {problem}
        </p>
      )}
      <Failure error={turn.error} />
    </section>
  )
}
