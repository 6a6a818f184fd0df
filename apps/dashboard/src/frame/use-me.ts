import { isApiError, type Me } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'

/** The person who is signed in; null for a token that is no person, such as a project's. */
export function useMe() {
  const client = useClient()
  return useQuery<Me | null>({
    queryKey: ['me'],
    queryFn: async () => {
      try {
        return await client.me()
      } catch (error) {
        if (isApiError(error) && error.status === 403) return null
        throw error
      }
    },
    staleTime: Infinity,
  })
}
