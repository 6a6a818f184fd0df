import type { AuditEvent, ListAuditQuery } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { RawDrawer } from '../../records/raw-drawer.tsx'
import { State } from '../../parts/state.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { auditQuery, outcomes } from './audit-query.ts'
import { auditRoute } from './route.tsx'

/** The log of who did what, which is only added to; its chain of hashes can be verified here. */
export function AuditPage() {
  const { account_id } = auditRoute.useParams()
  const search = auditRoute.useSearch()
  const navigate = useNavigate({ from: auditRoute.fullPath })
  const { audit } = useClient().accounts
  const [raw, setRaw] = useState<AuditEvent | null>(null)
  const query: ListAuditQuery = auditQuery(search)
  const pages = usePages({
    key: ['audit', account_id, query],
    read: (cursor) => audit.list(account_id, { ...query, ...pageOf(cursor) }),
  })
  const verify = useMutation({ mutationFn: () => audit.verify(account_id) })
  const save = useMutation({
    mutationFn: async () => {
      const text = await (await audit.export(account_id, auditQuery(search))).text()
      saveFile('audit.ndjson', 'application/x-ndjson', text)
    },
  })
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const field = (label: string, name: 'actor' | 'action' | 'from' | 'to', type = 'text') => (
    <Field
      label={label}
      type={type}
      value={search[name] ?? ''}
      onChange={(value) => filter({ [name]: value === '' ? undefined : value })}
    />
  )
  return (
    <Page
      title="Audit"
      actions={
        <>
          <button
            type="button"
            className="button"
            disabled={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {verify.isPending ? 'Verifying…' : 'Verify'}
          </button>
          <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate()}>
            Export
          </button>
        </>
      }
    >
      <AccountTabs account_id={account_id} />
      <Failure error={verify.error ?? save.error} />
      <div role="status">
        {verify.data !== undefined &&
          (verify.data.broken === null ? (
            <p className="notice ok">All {verify.data.events} events hold, from the first on.</p>
          ) : (
            <p className="notice bad">
              Broken at event {verify.data.broken.seq}: {verify.data.broken.reason}
            </p>
          ))}
      </div>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-5">
        {field('Actor', 'actor')}
        {field('Action', 'action')}
        <Select
          label="Outcome"
          value={search.outcome ?? ''}
          onChange={(outcome) => filter({ outcome: outcome === '' ? undefined : outcome })}
          options={[['', 'Any'], ...outcomes.map((one) => [one, one] as const)]}
        />
        {field('From', 'from', 'date')}
        {field('To', 'to', 'date')}
      </div>
      <Loaded query={pages}>
        {({ pages: read }) => (
          <DataTable caption="Audit events" columns={['When', 'Actor', 'Action', 'Target', 'Outcome', 'Raw']}>
            {read
              .flatMap(({ items }) => items)
              .map((event) => (
                <tr key={event.event_id}>
                  <td>
                    <Moment at={event.at} />
                  </td>
                  <td>
                    {event.actor.type} <code className="text-12">{event.actor.id.slice(0, 8)}</code>
                  </td>
                  <th scope="row">{event.action}</th>
                  <td className="font-mono text-12">{event.target}</td>
                  <td>
                    <State of={event.outcome} />
                  </td>
                  <td>
                    <button type="button" className="button small" onClick={() => setRaw(event)}>
                      Raw
                    </button>
                  </td>
                </tr>
              ))}
          </DataTable>
        )}
      </Loaded>
      <MoreButton pages={pages} />
      {raw !== null && <RawDrawer title="Audit event" record={raw} onClose={() => setRaw(null)} />}
    </Page>
  )
}
