import { useQuery } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'

/** Everything that waits for the person, in all projects: asks by the time at which they end, then the others, newest first. */
export function useInbox() {
  const { inbox } = useClient()
  return useQuery({
    queryKey: ['inbox'],
    queryFn: () => inbox.list({ limit: 100 }),
  })
}
