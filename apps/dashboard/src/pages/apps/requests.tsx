import { counted } from '@svc/facts'
import type { AppRequests, ProjectApp } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
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

/** The requests of the last 24 hours of all apps of a project, by their names: one answer for the whole list. */
export function useDays(project_id: string): ReadonlyMap<string, AppRequests> {
  const { apps } = useClient().projects
  const { data } = useQuery({
    queryKey: ['app-metrics', project_id],
    queryFn: () => apps.metricsOfAll(project_id, { window: '24h' }),
    refetchInterval: 60_000,
  })
  return useMemo(() => new Map(data?.map((one) => [one.app, one])), [data])
}

/** The requests of the last 24 hours in a line and in words. */
export function Requests({ day: { app, requests, points } }: { readonly day: AppRequests }) {
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const words = all === 0 ? 'no request' : counted(all, 'request')
  return (
    <p className="flex flex-wrap items-center gap-2 text-12">
      {all > 0 && <Sparkline label={`Requests to ${app}`} values={points.map((one) => one.requests)} />}
      <span className="faint">{words} in 24 hours</span>
    </p>
  )
}
