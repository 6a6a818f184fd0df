import type { ProjectApp } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Sparkline } from './sparkline.tsx'

/** The figures of the last 24 hours of an app. */
export function useDayOf({ project_id, name }: ProjectApp) {
  const { apps } = useClient().projects
  return useQuery({
    queryKey: ['app-metrics', project_id, name],
    queryFn: () => apps.metrics(project_id, name, { window: '24h' }),
    refetchInterval: 60_000,
  })
}

/** The requests of the last 24 hours in a line and in words; nothing before they are read. */
export function Requests({ app }: { readonly app: ProjectApp }) {
  const { data } = useDayOf(app)
  if (data === undefined) return null
  const all = Object.values(data.requests).reduce((sum, count) => sum + count, 0)
  const words = all === 0 ? 'no request' : `${all.toLocaleString('en')} ${all === 1 ? 'request' : 'requests'}`
  return (
    <p className="flex flex-wrap items-center gap-2 text-12">
      {all > 0 && (
        <Sparkline label={`Requests to ${app.name}`} values={data.points.map(({ requests }) => requests)} />
      )}
      <span className="faint">{words} in 24 hours</span>
    </p>
  )
}
