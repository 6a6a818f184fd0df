import type { EventPlace } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from '../accounts/account-tabs.tsx'
import { NewSubscription } from './new-subscription.tsx'
import { idOf, pathOf, writes } from './place.ts'
import { accountEventsRoute, eventsRoute } from './route.tsx'

export function EventsPage() {
  return <EventsOf place={eventsRoute.useParams()} />
}

export function AccountEventsPage() {
  const place = accountEventsRoute.useParams()
  return <EventsOf place={place} tabs={<AccountTabs account_id={place.account_id} />} />
}

/** The addresses that are told what happens in a place, and what happened last. */
function EventsOf({ place, tabs }: { readonly place: EventPlace; readonly tabs?: ReactNode }) {
  const { events } = useClient()
  const [adding, setAdding] = useState(false)
  const query = useQuery({
    queryKey: ['event-subscriptions', idOf(place)],
    queryFn: () => events.subscriptions.list(place),
  })
  return (
    <Page
      title="Events"
      actions={
        <GuardedButton needs={writes} className="button" onClick={() => setAdding(true)}>
          New subscription
        </GuardedButton>
      }
    >
      {tabs}
      <section aria-labelledby="subscriptions" className="grid gap-2">
        <h2 id="subscriptions">Subscriptions</h2>
        <Loaded query={query}>
          {(subscriptions) =>
            subscriptions.length === 0 ? (
              <Empty title="No address is told yet">
                <p>
                  Each event is posted to the addresses that subscribed, signed, and tried again for a day.
                </p>
              </Empty>
            ) : (
              <DataTable caption="Subscriptions" columns={['Address', 'Types', 'Order', 'State']}>
                {subscriptions.map(
                  ({ subscription_id, url, name, types, ordering, status, disabled_reason }) => (
                    <tr key={subscription_id}>
                      <th scope="row" dir="auto">
                        <Link to={pathOf(place, subscription_id)} className="break-all">
                          {name ?? url}
                        </Link>
                      </th>
                      <td data-name="Types">{types.join(', ')}</td>
                      <td data-name="Order">{ordering === 'strict' ? 'strict' : 'as it comes'}</td>
                      <td data-name="State">
                        <State of={status} />
                        {disabled_reason !== null && (
                          <span className="faint"> {reasons[disabled_reason]}</span>
                        )}
                      </td>
                    </tr>
                  ),
                )}
              </DataTable>
            )
          }
        </Loaded>
      </section>
      <Latest place={place} />
      {adding && <NewSubscription place={place} onClose={() => setAdding(false)} />}
    </Page>
  )
}

export const reasons = {
  user: 'by a person',
  gone: 'its receiver answered 410',
  too_many_failures: 'deliveries in a row came to nothing',
} as const

const shown = 50

function Latest({ place }: { readonly place: EventPlace }) {
  const { events } = useClient()
  const query = useQuery({
    queryKey: ['events', idOf(place)],
    queryFn: async () => {
      const { last_sequence } = await events.list(place, { limit: 1 })
      // Sequences are the account's: of one project there may be fewer.
      const page = await events.list(place, { after: Math.max(0, last_sequence - 10 * shown), limit: 100 })
      return page.events.slice(-shown).reverse()
    },
  })
  return (
    <section aria-labelledby="latest" className="grid gap-2">
      <h2 id="latest">Latest events</h2>
      <Loaded query={query}>
        {(latest) =>
          latest.length === 0 ? (
            <Empty title="Nothing happened yet" />
          ) : (
            <DataTable caption="Latest events" columns={['Type', 'About', 'When']}>
              {latest.map((event) => (
                <tr key={event.id}>
                  <th scope="row">{event.type}</th>
                  <td data-name="About" dir="auto">
                    {aboutOf(event.data)}
                  </td>
                  <td data-name="When">
                    <Moment at={event.timestamp} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </section>
  )
}

/** The name of the object that an event is about, as far as its data has one. */
function aboutOf(data: object): string {
  const { title, number, slug, agent_name, action, budget }: Readonly<Record<string, unknown>> = Object(data)
  if (typeof title === 'string') return `#${String(number)} ${title}`
  if (typeof action === 'string') return `${String(slug)}.${action}`
  if (typeof slug === 'string') return slug
  if (typeof agent_name === 'string') return agent_name
  return budget === undefined ? '' : String(Object(budget)['name'])
}
