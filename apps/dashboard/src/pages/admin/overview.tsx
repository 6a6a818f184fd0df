import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { State } from '../../parts/state.tsx'
import { seconds } from './seconds.ts'
import { sessionCounts } from './session-counts.ts'
import { useAdmin } from './use-admin.ts'

/** The state of the whole platform; what is stuck comes first. */
export function Overview() {
  const admin = useAdmin()
  const query = useQuery({ queryKey: ['admin', 'overview'], queryFn: () => admin.overview() })
  return (
    <Loaded query={query}>
      {({ version, commit, schema, maintenance, sessions, owed, queues, last_backup_at }) => (
        <>
          <h2>Owed work</h2>
          {owed.every(({ rows }) => rows === 0) ? (
            <p className="notice ok">No row owes work.</p>
          ) : (
            <DataTable caption="Owed work" columns={['Work', 'Rows', 'Oldest']}>
              {owed.map(({ work, rows, oldest_seconds }) => (
                <tr key={work}>
                  <th scope="row">{work}</th>
                  <td data-name="Rows">{rows}</td>
                  <td data-name="Oldest">{seconds(oldest_seconds)}</td>
                </tr>
              ))}
            </DataTable>
          )}
          <h2>Queues</h2>
          <DataTable caption="Queues" columns={['Queue', 'Waiting', 'Active', 'Delayed', 'Failed', 'Oldest']}>
            {queues.map(({ queue, waiting, active, delayed, failed, oldest_seconds }) => (
              <tr key={queue}>
                <th scope="row">{queue}</th>
                <td data-name="Waiting">{waiting}</td>
                <td data-name="Active">{active}</td>
                <td data-name="Delayed">{delayed}</td>
                <td data-name="Failed">{failed}</td>
                <td data-name="Oldest">{seconds(oldest_seconds)}</td>
              </tr>
            ))}
          </DataTable>
          <h2>Sessions</h2>
          <p className="flex flex-wrap gap-4">
            {sessionCounts(sessions).map(([status, count]) => (
              <span key={status} className="flex items-center gap-1">
                <State of={status} /> {count}
              </span>
            ))}
          </p>
          <h2>Release</h2>
          <dl className="facts">
            <dt>Version</dt>
            <dd>
              {version} <code className="text-12">{commit.slice(0, 12)}</code>
            </dd>
            <dt>Schema</dt>
            <dd>
              {schema.level} of {schema.newest}
              {schema.pending.length > 0 && `, ${schema.pending.length} pending`}
            </dd>
            <dt>Maintenance</dt>
            <dd>{maintenance.mode}</dd>
            <dt>Last backup</dt>
            <dd>
              <Moment at={last_backup_at} />
            </dd>
          </dl>
        </>
      )}
    </Loaded>
  )
}
