import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TriggerDelivery } from '@svc/sdk'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Outcome } from './fire-now.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
}

/** Deliveries to a webhook, refused ones as well. */
export function Deliveries({ project_id, slug }: Props) {
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const [raw, setRaw] = useState<TriggerDelivery | null>(null)
  const pages = usePages({
    key: ['trigger', project_id, slug, 'deliveries'],
    read: (cursor) => triggers.deliveries(project_id, slug, pageOf(cursor)),
    follow: { idOf: ({ receipt_id }) => receipt_id },
  })
  const redeliver = useMutation({
    mutationFn: (receipt_id: string) => triggers.redeliver(project_id, slug, receipt_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['trigger', project_id, slug] }),
  })
  return (
    <div className="grid gap-3">
      <Failure error={redeliver.error} />
      <div role="status">
        {redeliver.data !== undefined && <Outcome project_id={project_id} answer={redeliver.data} />}
      </div>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const deliveries = read.flatMap(({ items }) => items)
          if (deliveries.length === 0) return <Empty title="Nothing was delivered yet" />
          return (
            <DataTable caption="Deliveries" columns={['When', 'Verdict', 'Reason', 'Size', 'More']}>
              {deliveries.map((delivery) => (
                <tr key={delivery.receipt_id}>
                  <th scope="row">
                    <Moment at={delivery.received_at} />
                    {delivery.redelivery_of !== null && <span className="faint"> again</span>}
                  </th>
                  <td>
                    <State of={delivery.verdict} />
                  </td>
                  <td>{delivery.reason ?? ''}</td>
                  <td className="whitespace-nowrap">{delivery.body_bytes} B</td>
                  <td>
                    <span className="flex gap-2">
                      <button type="button" className="button small" onClick={() => setRaw(delivery)}>
                        Raw
                      </button>
                      <GuardedButton
                        needs="project.trigger.fire"
                        className="button small"
                        disabled={redeliver.isPending}
                        onClick={() => redeliver.mutate(delivery.receipt_id)}
                      >
                        Redeliver
                      </GuardedButton>
                    </span>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
      {raw !== null && (
        <Modal title="Delivery" open onOpenChange={() => setRaw(null)}>
          <pre className="block" tabIndex={0} role="group" aria-label="The record">
            {JSON.stringify(raw, null, 2)}
          </pre>
        </Modal>
      )}
    </div>
  )
}
