import type { CreditLedgerEntry } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoneyPlace } from '../../../money/place.ts'
import { ProjectName } from '../../../money/spend/spend-name.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { dollars } from '../../../money/money.ts'
import { MoreButton, pageOf, usePages } from '../../../parts/pages.tsx'
import { RawDrawer } from '../../../records/raw-drawer.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

const columns = ['At', 'Entry', 'Amount', 'Balance after', 'For']

const kinds: Readonly<Record<CreditLedgerEntry['kind'], string>> = {
  grant: 'Granted',
  purchase: 'Bought',
  usage: 'Used by models',
  refund: 'Refunded',
  adjustment: 'Adjusted',
  expiry: 'Expired',
}

interface Props {
  readonly place: Extract<MoneyPlace, { kind: 'account' }>
}

/** The credit of an account, and each entry that added to it or took from it, the newest first. */
export function Ledger({ place }: Props) {
  const { account_id } = place
  const { billing } = useClient().accounts
  const [opened, setOpened] = useState<CreditLedgerEntry | null>(null)
  const pages = usePages({
    key: ['ledger', account_id],
    read: (cursor) => billing.ledger(account_id, pageOf(cursor)),
  })
  return (
    <>
      <Credit account_id={account_id} />
      <Loaded query={pages}>
        {({ pages: found }) => {
          const entries = found.flatMap(({ items }) => items)
          if (entries.length === 0)
            return (
              <Empty title="No entry yet">
                <p className="hint">Credit that is added stands here, and what models take from it.</p>
              </Empty>
            )
          return (
            <DataTable caption="Ledger" columns={columns}>
              {entries.map((entry) => (
                <tr key={entry.entry_id}>
                  <th scope="row">
                    <button
                      type="button"
                      className="text-link"
                      aria-haspopup="dialog"
                      onClick={() => setOpened(entry)}
                    >
                      <Moment at={entry.at} />
                    </button>
                  </th>
                  <td data-name="Entry">{kinds[entry.kind]}</td>
                  <td data-name="Amount" className={entry.amount_micros > 0 ? 'text-ok-text' : undefined}>
                    {entry.amount_micros > 0 && '+'}
                    {dollars(entry.amount_micros)}
                  </td>
                  <td data-name="Balance after">{dollars(entry.balance_after_micros)}</td>
                  <td data-name="For" dir="auto">
                    {entry.project_id === null ? (
                      (entry.reason ?? <span className="faint">no reason given</span>)
                    ) : (
                      <ProjectName place={place} project_id={entry.project_id} />
                    )}
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
      {opened !== null && <RawDrawer title="Entry" record={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** The credit that is left; nothing before it is read, and where the plan pays by none. */
function Credit({ account_id }: { readonly account_id: string }) {
  const { billing } = useClient().accounts
  const { data } = useQuery({
    queryKey: ['billing', account_id],
    queryFn: () => billing.get(account_id),
  })
  if (data === undefined) return null
  if (data.billing !== 'credit' && data.balance === null)
    return <p className="hint">The plan of this account pays for models without credit.</p>
  return (
    <p className="text-20 font-semibold">
      {dollars(data.balance ?? 0)}{' '}
      <span className="hint font-normal">
        of credit left{(data.held ?? 0) > 0 && `, of which running calls hold ${dollars(data.held ?? 0)}`}
      </span>
    </p>
  )
}
