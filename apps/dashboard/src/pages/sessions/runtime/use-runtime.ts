import type { Session } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../sign-in/signed-in.tsx'

export const runtimeKey = (session_id: string) => ['session', session_id, 'runtime'] as const

/** The agent program of a session, read again when its log says that it changed. */
export function useRuntime({ project_id, session_id }: Pick<Session, 'project_id' | 'session_id'>) {
  const { sessions } = useClient().projects
  return useQuery({
    queryKey: runtimeKey(session_id),
    queryFn: () => sessions.runtime.get(project_id, session_id),
  })
}
