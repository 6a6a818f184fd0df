import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'
import { settledHere, type BoardAsk, boardAfter } from './ask-board.ts'

const againMs = 5_000

/** The requests that the agent waits for, and those that it waited for while this page was looked at. */
export function useAsks(project_id: string, session_id: string) {
  const { sessions } = useClient().projects
  const queries = useQueryClient()
  const queryKey = ['session', session_id, 'asks']
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const pending = await sessions.asks.list(project_id, session_id)
      return boardAfter(queries.getQueryData<readonly BoardAsk[]>(queryKey) ?? [], pending)
    },
    // A sandbox that does not answer tells nothing, so this page would not hear of its return.
    refetchInterval: ({ state }) => state.error !== null && againMs,
    // A person who comes back is told of the requests of that moment.
    gcTime: 0,
  })
  const onSettled = (request_id: string) =>
    queries.setQueryData<readonly BoardAsk[]>(queryKey, (board) => settledHere(board ?? [], request_id))
  return { asks: query, onSettled }
}
