import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { enterAppRoute } from './route.tsx'

/** The page to which an app sends people whom it does not know: signed in, they are led back with a way in. */
export function EnterAppPage() {
  const { host = '', return: return_path = '/' } = enterAppRoute.useSearch()
  const { apps } = useClient().projects
  const entry = useQuery({
    queryKey: ['enter-app', host, return_path],
    queryFn: () => apps.enter({ host, return_path }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const url = entry.data?.url
  useEffect(() => {
    if (url !== undefined) location.replace(url)
  }, [url])
  return (
    <Page title="Open an app" narrow>
      <p className="break-all">{host}</p>
      <Failure error={entry.error} />
      {entry.error === null && <Loading what="Opening it…" />}
    </Page>
  )
}
