import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type AskEnds, endsAfter } from '../asks/ask-board.ts'
import { useClient } from '../sign-in/signed-in.tsx'
import { isLive } from './session-name.ts'

/** Events that say that something else stands in the row, the conversation, the prompt queue or the asks now. */
const telling: ReadonlySet<string> = new Set([
  'status',
  'prompt',
  'message',
  'tool',
  'turn',
  'error',
  'question',
  'permission',
])
const pauseMs = 400

/** Another client may start it again, and without a sandbox there is no news to wait for. */
const asleepMs = 5_000

const noEnds: AskEnds = new Map()

/** A session and its conversation, read again when its event log tells of news. */
export function useLiveSession(project_id: string, session_id: string) {
  const client = useClient()
  const queries = useQueryClient()
  const [streamError, setStreamError] = useState<unknown>(null)
  const [askEnds, setAskEnds] = useState(noEnds)
  const session = useQuery({
    queryKey: ['session', session_id, 'row'],
    queryFn: () => client.projects.sessions.get(project_id, session_id),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isLive(data) ? false : asleepMs),
  })
  const transcript = useQuery({
    queryKey: ['session', session_id, 'transcript'],
    queryFn: () => client.projects.sessions.transcript(project_id, session_id),
  })
  const reread = useCallback(
    () => queries.invalidateQueries({ queryKey: ['session', session_id] }),
    [queries, session_id],
  )
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
        void reread()
      }, pauseMs)
    }
    const follow = async () => {
      for await (const event of client.projects.sessions.stream(project_id, session_id, { signal })) {
        setAskEnds((ends) => endsAfter(ends, event))
        if (telling.has(event.type)) refresh()
        if (event.type === 'turn' && event.state === 'end')
          void queries.invalidateQueries({ queryKey: ['session-change-requests', session_id] })
      }
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) setStreamError(error)
    })
    return () => {
      left.abort()
      clearTimeout(due)
      // The changes that the last events told of are read all the same.
      if (due !== undefined) void reread()
    }
  }, [client, queries, project_id, session_id, live, reread])
  return { session, transcript, streamError, askEnds, reread }
}
