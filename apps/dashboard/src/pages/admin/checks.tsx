import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { useAdmin } from './use-admin.ts'

const againMs = 1_000

/** Rows compared with what is there; the run stands in the address, so that it can be shown to others. */
export function Checks({ run }: { readonly run: string | undefined }) {
  const admin = useAdmin()
  const navigate = useNavigate()
  const [repair, setRepair] = useState(false)
  const start = useMutation({
    mutationFn: () => admin.startChecks({ repair }),
    onSuccess: ({ run_id }) =>
      void navigate({ to: '/admin/{-$part}', params: { part: 'checks' }, search: { run: run_id } }),
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="button primary"
          disabled={start.isPending}
          onClick={() => start.mutate()}
        >
          Check now
        </button>
        <label className="check">
          <input type="checkbox" checked={repair} onChange={({ target }) => setRepair(target.checked)} />
          Put right what can safely be
        </label>
      </div>
      <Failure error={start.error} />
      {run !== undefined && <Run run_id={run} />}
    </>
  )
}

function Run({ run_id }: { readonly run_id: string }) {
  const admin = useAdmin()
  const query = useQuery({
    queryKey: ['admin', 'checks', run_id],
    queryFn: () => admin.checks(run_id),
    // Workers make the checks, and no stream follows them.
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? againMs : false),
  })
  return (
    <Loaded query={query}>
      {({ state, findings }) => (
        <>
          <p role="status">
            <State of={state} /> {findings.length === 0 && state === 'done' && 'Nothing differs.'}
          </p>
          {findings.length > 0 && (
            <DataTable caption="Findings" columns={['Check', 'Severity', 'Subject', 'Finding', 'Repair']}>
              {findings.map(({ check, severity, subject, message, repairable, repaired }) => (
                <tr key={`${check} ${subject}`}>
                  <th scope="row">{check}</th>
                  <td data-name="Severity">
                    <State of={severity} word={severity} />
                  </td>
                  <td data-name="Subject" className="font-mono text-12">
                    {subject}
                  </td>
                  <td data-name="Finding">{message}</td>
                  <td data-name="Repair">{repaired ? 'done' : repairable ? 'possible' : 'by hand'}</td>
                </tr>
              ))}
            </DataTable>
          )}
        </>
      )}
    </Loaded>
  )
}
