import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { isLive } from './session-name.ts'

/** Events that say that something else stands in the row or in the conversation now. */
const telling: ReadonlySet<string> = new Set(['status', 'prompt', 'message', 'tool', 'turn', 'error'])
const pauseMs = 400

/** A session and its conversation, read again when its event log tells of news. */
export function useLiveSession(project_id: string, session_id: string) {
  const client = useClient()
  const queries = useQueryClient()
  const [streamError, setStreamError] = useState<unknown>(null)
  const session = useQuery({
    queryKey: ['session', session_id, 'row'],
    queryFn: () => client.projects.sessions.get(project_id, session_id),
  })
  const transcript = useQuery({
    queryKey: ['session', session_id, 'transcript'],
    queryFn: () => client.projects.sessions.transcript(project_id, session_id),
  })
  const live = session.data !== undefined && isLive(session.data)
  useEffect(() => {
    if (!live) return
    const left = new AbortController()
    const { signal } = left
    let due: ReturnType<typeof setTimeout> | undefined
    // Many events come at once, at the start the whole log: one reading serves them all.
    const refresh = () => {
      due ??= setTimeout(() => {
        due = undefined
        void queries.invalidateQueries({ queryKey: ['session', session_id] })
      }, pauseMs)
    }
    const follow = async () => {
      for await (const { type } of client.projects.sessions.stream(project_id, session_id, { signal })) {
        if (telling.has(type)) refresh()
      }
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) setStreamError(error)
    })
    return () => {
      left.abort()
      clearTimeout(due)
    }
  }, [client, queries, project_id, session_id, live])
  return { session, transcript, live, streamError }
}
