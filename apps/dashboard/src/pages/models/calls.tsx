import type { ModelCall } from '@svc/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { dollars } from '../../money/money.ts'
import { MoreButton, usePages } from '../../parts/pages.tsx'
import { RefusalLink } from '../../parts/refusals/refusal-link.tsx'
import { State } from '../../parts/state.tsx'
import { RawDrawer } from '../../records/raw-drawer.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { modelsRoute } from './route.tsx'

const columns = ['At', 'State', 'Model', 'Session', 'Tokens in, out', 'Cost', 'Time']

/** Each call of a model, refused ones too, the newest first; one opens with its tries at providers. */
export function Calls({ project_id }: { readonly project_id: string }) {
  const { session_id, code } = modelsRoute.useSearch()
  const navigate = useNavigate({ from: modelsRoute.fullPath })
  const { logs } = useClient().projects.gateway
  const [opened, setOpened] = useState<ModelCall | null>(null)
  const filter = {
    ...(session_id === undefined ? {} : { session_id }),
    ...(code === undefined ? {} : { code }),
  }
  const pages = usePages({
    key: ['model-calls', project_id, filter],
    read: (cursor) => logs.list(project_id, { ...filter, ...(cursor === undefined ? {} : { cursor }) }),
  })
  return (
    <>
      {(session_id !== undefined || code !== undefined) && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="hint">
            {session_id !== undefined && `Of the session ${session_id.slice(0, 8)}. `}
            {code !== undefined && `Ended as ${code}. `}
          </span>
          <button
            type="button"
            className="button small"
            onClick={() =>
              void navigate({ search: (before) => ({ ...before, session_id: undefined, code: undefined }) })
            }
          >
            Show all
          </button>
        </p>
      )}
      <Loaded query={pages}>
        {({ pages: found }) => {
          const rows = found.flatMap(({ items }) => items)
          if (rows.length === 0) return <Empty title="No call yet" />
          return (
            <DataTable caption="Calls" columns={columns}>
              {rows.map((call) => (
                <tr key={call.call_id}>
                  <th scope="row">
                    <button
                      type="button"
                      className="text-link"
                      aria-haspopup="dialog"
                      onClick={() => setOpened(call)}
                    >
                      <Moment at={call.at} />
                    </button>
                  </th>
                  <td data-name="State">
                    <State of={call.status} />
                    {call.code !== null && <span className="faint grid">{call.code}</span>}
                    <RefusalLink project_id={project_id} code={call.code} />
                  </td>
                  <td data-name="Model" dir="auto">
                    {call.model ?? call.model_asked}
                    {call.attempts.length > 1 && (
                      <span className="faint grid">{call.attempts.length} tries</span>
                    )}
                  </td>
                  <td data-name="Session">
                    {call.session_id === null ? (
                      <span className="faint">none</span>
                    ) : (
                      <Link
                        to="/projects/$project_id/sessions/$session_id"
                        params={{ project_id, session_id: call.session_id }}
                      >
                        {call.session_id.slice(0, 8)}
                      </Link>
                    )}
                  </td>
                  <td data-name="Tokens in, out">
                    {call.estimated && 'about '}
                    {call.input_tokens.toLocaleString()}, {call.output_tokens.toLocaleString()}
                  </td>
                  <td data-name="Cost">{costOf(call)}</td>
                  <td data-name="Time">{call.duration_ms === null ? '' : timeOf(call.duration_ms)}</td>
                </tr>
              ))}
            </DataTable>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
      {opened !== null && <RawDrawer title="Call" record={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function costOf({ cost_micros, hold_micros, status }: ModelCall): string {
  if (cost_micros !== null) return dollars(cost_micros)
  return status === 'admitted' || status === 'streaming' ? `holds ${dollars(hold_micros)}` : 'no price'
}

const timeOf = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(Math.round(ms / 100) / 10).toLocaleString()} s`)
