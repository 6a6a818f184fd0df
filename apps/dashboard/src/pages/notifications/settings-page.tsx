import type { NotificationSettings } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ThisBrowser } from './this-browser.tsx'

type Kinds = NotificationSettings['kinds']
type Kind = keyof Kinds
/** Chats join once one can be connected. */
type Way = 'in_app' | 'email' | 'push'

const kinds: readonly (readonly [Kind, string])[] = [
  ['needs_me', 'An agent waits for me'],
  ['cr_opened', 'A change request was opened'],
  ['cr_merged', 'A change request was merged'],
  ['cr_failed', 'A merge was refused'],
  ['session_failed', 'A session failed'],
  ['trigger_failed', 'A trigger did not fire'],
  ['budget_alert', 'A budget runs out'],
  ['delivery_disabled', 'A subscription to events was disabled'],
]
const ways: readonly (readonly [Way, string])[] = [
  ['in_app', 'List'],
  ['email', 'Mail'],
  ['push', 'Push'],
]
const key = ['notifications', 'settings']

/** The ways on which the person is told of each kind, and whether this browser is one of them. */
export function NotificationSettingsPage() {
  const { notifications } = useClient()
  const settings = useQuery({ queryKey: key, queryFn: () => notifications.settings() })
  return (
    <Page title="Notification settings" narrow up={{ to: '/notifications', label: 'Notifications' }}>
      <ThisBrowser />
      <section className="grid gap-2">
        <h2>Ways</h2>
        <p className="hint">
          One mail at most an hour holds what you have not read for a quarter of one. Push goes to browsers in
          which it was switched on. How much of a project you are told is a setting of the project.
        </p>
        <Loaded query={settings}>{({ kinds: set }) => <Grid set={set} />}</Loaded>
      </section>
    </Page>
  )
}

function Grid({ set }: { readonly set: Kinds }) {
  const { notifications } = useClient()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ kind, way, on }: { kind: Kind; way: Way; on: boolean }) =>
      notifications.updateSettings({ kinds: { [kind]: { [way]: on } } }),
    onSuccess: (now) => queries.setQueryData(key, now),
  })
  return (
    <>
      <Failure error={change.error} />
      <table className="table fixed-ways" aria-label="Ways">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {ways.map(([way, label]) => (
              <th key={way} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(([kind, label]) => (
            <tr key={kind}>
              <th scope="row" className="font-normal">
                {label}
              </th>
              {ways.map(([way, of]) => (
                <td key={way}>
                  <input
                    type="checkbox"
                    aria-label={`${label}: ${of}`}
                    checked={set[kind][way]}
                    disabled={change.isPending}
                    onChange={({ target }) => change.mutate({ kind, way, on: target.checked })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
