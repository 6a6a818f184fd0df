import type { NotificationSettings } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../../parts/data-table.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useSwitches } from '../../parts/use-switches.ts'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ThisBrowser } from './this-browser.tsx'

type Kinds = NotificationSettings['kinds']
type Kind = keyof Kinds
type Way = keyof Kinds[Kind]

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
  ['channel', 'Chat'],
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
          At most one mail an hour, with what stayed unread for 15 minutes. Pushes go to the browsers in which
          you switched them on. A chat is a direct message of a channel in which you are{' '}
          <Link to="/account/$part" params={{ part: 'senders' }}>
            linked
          </Link>
          . The settings of a project say how much of it you are told.
        </p>
        <Loaded query={settings}>{({ kinds: set }) => <Grid set={set} />}</Loaded>
      </section>
    </Page>
  )
}

function Grid({ set }: { readonly set: Kinds }) {
  const { notifications } = useClient()
  const { flip, error } = useSwitches<NotificationSettings, { readonly kind: Kind; readonly way: Way }>({
    key,
    write: ({ kind, way }, on) => notifications.updateSettings({ kinds: { [kind]: { [way]: on } } }),
    apply: ({ kinds: now, ...rest }, { kind, way }, on) => ({
      ...rest,
      kinds: { ...now, [kind]: { ...now[kind], [way]: on } },
    }),
  })
  return (
    <>
      <Failure error={error} />
      <DataTable caption="Ways" columns={['Kind', ...ways.map(([, label]) => label)]}>
        {kinds.map(([kind, label]) => (
          <tr key={kind}>
            <th scope="row" className="font-normal">
              {label}
            </th>
            {ways.map(([way, of]) => (
              <td key={way} data-name={of}>
                <input
                  type="checkbox"
                  aria-label={`${label}: ${of}`}
                  checked={set[kind][way]}
                  onChange={({ target }) => flip({ kind, way }, target.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </>
  )
}
