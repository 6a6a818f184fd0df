import { isApiError } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'

/** The number of unread notifications of the person; none for a token that is no person. */
export function useUnreadCount(): number {
  const { notifications } = useClient()
  const { data } = useQuery({
    queryKey: ['notifications', 'unread'],
    queryFn: async () => {
      try {
        return (await notifications.list({ limit: 1, unread: 'true' })).unread_count
      } catch (error) {
        if (isApiError(error) && error.status === 403) return 0
        throw error
      }
    },
  })
  return data ?? 0
}
