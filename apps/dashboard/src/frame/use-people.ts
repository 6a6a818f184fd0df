import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { useMe } from './use-me.ts'

/** The names of the people of an account, as far as the reader may know them. */
export function usePeople(account_id: string): (user_id: string | null) => string {
  const client = useClient()
  const { data: me } = useMe()
  const { data: members } = useQuery({
    queryKey: ['people', account_id],
    queryFn: async () => {
      const found = await client.accounts.members.list(account_id)
      return new Map(found.map(({ user_id, name, email }) => [user_id, name === '' ? email : name]))
    },
    retry: false,
    staleTime: 60_000,
  })
  return useCallback(
    (user_id) => {
      if (user_id === null) return 'the platform'
      if (user_id === me?.user_id) return 'you'
      return members?.get(user_id) ?? 'a person'
    },
    [me, members],
  )
}
