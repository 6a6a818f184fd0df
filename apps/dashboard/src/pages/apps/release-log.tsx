import type { ProjectApp } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../parts/failure.tsx'
import { LogBlock } from '../../parts/log-block.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { isMoving } from './app-words.ts'

/** The log of a release, its last words first where it failed. */
export function ReleaseLog({
  app,
  release,
}: {
  readonly app: ProjectApp
  readonly release: NonNullable<ProjectApp['latest_release']>
}) {
  const { project_id, name } = app
  const { number, status, failure } = release
  const { apps } = useClient().projects
  const query = useQuery({
    queryKey: ['app-log', project_id, name, number, status],
    queryFn: () => apps.readLog(project_id, name, { release: number, limit: 200 }),
    refetchInterval: isMoving(app) ? 1000 : false,
  })
  // The lines of the program stand below Running.
  const lines = (query.data?.lines ?? []).filter(({ source }) => source !== 'app')
  return (
    <section aria-labelledby="release-log" className="grid gap-2">
      <h2 id="release-log" className="flex flex-wrap items-center gap-2">
        Release {number} <State of={isMoving(app) ? 'working' : status} word={status} />
      </h2>
      {failure !== null && (
        <p role="status" className="notice bad break-words">
          {failure.message}
        </p>
      )}
      <Failure error={query.error} />
      {lines.length > 0 && (
        <LogBlock label={`Log of release ${number}`} lines={lines.map(({ line }) => line)} />
      )}
    </section>
  )
}
