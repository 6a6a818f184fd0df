import type { EventDelivery, EventPlace, EventSubscription } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionTable } from '../../parts/action-table.tsx'
import { Confirm, Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ShownOnce } from '../../tokens/shown-once.tsx'
import { reasons } from './events-page.tsx'
import { idOf, pathOf, writes } from './place.ts'
import { accountSubscriptionRoute, subscriptionRoute } from './route.tsx'

export function SubscriptionPage() {
  const { project_id, subscription_id } = subscriptionRoute.useParams()
  return <SubscriptionOf place={{ project_id }} subscription_id={subscription_id} />
}

export function AccountSubscriptionPage() {
  const { account_id, subscription_id } = accountSubscriptionRoute.useParams()
  return <SubscriptionOf place={{ account_id }} subscription_id={subscription_id} />
}

interface Props {
  readonly place: EventPlace
  readonly subscription_id: string
}

/** One subscription: what it asks for, and each event that was sent to it, with a way to send it again. */
function SubscriptionOf({ place, subscription_id }: Props) {
  const { subscriptions } = useClient().events
  const query = useQuery({
    queryKey: ['event-subscriptions', idOf(place), subscription_id],
    queryFn: () => subscriptions.get(place, subscription_id),
  })
  return (
    <Page
      title={query.data?.name ?? 'Subscription'}
      beside={query.data && <State of={query.data.status} />}
      up={{ to: pathOf(place), label: 'Events' }}
      actions={query.data && <Actions place={place} subscription={query.data} />}
    >
      <Loaded query={query}>
        {({ url, types, ordering, header_names, disabled_reason, created_at }) => (
          <dl className="facts">
            <dt>Address</dt>
            <dd className="break-all">{url}</dd>
            <dt>Types</dt>
            <dd>{types.join(', ')}</dd>
            <dt>Order</dt>
            <dd>{ordering === 'strict' ? 'one at a time, in order' : 'as it comes, up to eight at once'}</dd>
            {header_names.length > 0 && (
              <>
                <dt>Headers</dt>
                <dd>{header_names.join(', ')}</dd>
              </>
            )}
            {disabled_reason !== null && (
              <>
                <dt>Disabled</dt>
                <dd>{reasons[disabled_reason]}</dd>
              </>
            )}
            <dt>Created</dt>
            <dd>
              <Moment at={created_at} />
            </dd>
          </dl>
        )}
      </Loaded>
      <section aria-labelledby="deliveries" className="grid gap-2">
        <h2 id="deliveries">Deliveries</h2>
        <ActionTable<EventDelivery>
          caption="Deliveries"
          empty="Nothing was sent yet"
          queryKey={['event-deliveries', subscription_id]}
          read={async (cursor) => {
            const page = await subscriptions.deliveries(place, subscription_id, {
              limit: 50,
              ...(cursor === undefined ? {} : { cursor }),
            })
            return { items: page.deliveries, next_cursor: page.next_cursor }
          }}
          keyOf={({ delivery_id }) => delivery_id}
          columns={[
            {
              name: 'Event',
              cell: ({ type, replay }) => (replay === 0 ? type : `${type} (replay ${replay})`),
            },
            { name: 'State', cell: ({ state }) => <State of={state} /> },
            { name: 'Tries', cell: ({ attempts }) => attempts },
            { name: 'Last answer', cell: ({ last_status, last_error }) => last_status ?? last_error ?? '' },
            { name: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
          ]}
          actions={[
            {
              label: 'Send again',
              needs: writes,
              when: ({ state }) => state === 'delivered' || state === 'exhausted' || state === 'cancelled',
              run: ({ delivery_id }) => subscriptions.replay(place, subscription_id, { delivery_id }),
              done: 'On its way.',
            },
          ]}
        />
      </section>
    </Page>
  )
}

function Actions({
  place,
  subscription: { subscription_id, status },
}: {
  readonly place: EventPlace
  readonly subscription: EventSubscription
}) {
  const { subscriptions } = useClient().events
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['event-subscriptions', idOf(place)] }),
      queries.invalidateQueries({ queryKey: ['event-deliveries', subscription_id] }),
    ])
  const ping = useMutation({
    mutationFn: () => subscriptions.ping(place, subscription_id),
    onSuccess: async () => {
      toast('A trial event is on its way.')
      await refresh()
    },
  })
  const enabled = status === 'enabled'
  const change = useMutation({
    mutationFn: () =>
      subscriptions.update(place, subscription_id, { status: enabled ? 'disabled' : 'enabled' }),
    onSuccess: refresh,
  })
  const rotate = useMutation({ mutationFn: () => subscriptions.rotateSecret(place, subscription_id) })
  const remove = useMutation({
    mutationFn: () => subscriptions.delete(place, subscription_id),
    onSuccess: async () => {
      await navigate({ to: pathOf(place) })
      await queries.invalidateQueries({ queryKey: ['event-subscriptions', idOf(place)] })
    },
  })
  return (
    <>
      {enabled && (
        <GuardedButton
          needs={writes}
          className="button"
          disabled={ping.isPending}
          onClick={() => ping.mutate()}
        >
          Send a trial
        </GuardedButton>
      )}
      <GuardedButton
        needs={writes}
        className="button"
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {enabled ? 'Disable' : 'Enable'}
      </GuardedButton>
      <GuardedButton needs={writes} className="button" onClick={() => setAsked('rotate')}>
        New secret
      </GuardedButton>
      <GuardedButton needs={writes} className="button danger" onClick={() => setAsked('remove')}>
        Remove
      </GuardedButton>
      <Failure error={ping.error ?? change.error} />
      {asked === 'remove' && (
        <Confirm
          title="Remove this subscription?"
          open
          onOpenChange={() => setAsked(null)}
          verb="Remove"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
        >
          Nothing more is sent to it, and the log of its deliveries goes. Events stay.
        </Confirm>
      )}
      {asked === 'rotate' &&
        (rotate.data === undefined ? (
          <Confirm
            title="Make a new secret?"
            open
            onOpenChange={() => setAsked(null)}
            verb="Make one"
            busy={rotate.isPending}
            error={rotate.error}
            onConfirm={() => rotate.mutate()}
          >
            The secret that signs now signs as well for a day, so that the receiver can change over.
          </Confirm>
        ) : (
          <Modal title="New secret" open onOpenChange={(open) => open || setAsked(null)}>
            <ShownOnce token={rotate.data.secret} onClose={() => setAsked(null)} />
          </Modal>
        ))}
    </>
  )
}
