import type { Session, SessionEvent } from '@svc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type AskEnds, endsAfter, pendingAfter, type PendingAsks } from '../../asks/ask-board.ts'
import { useSessionLog } from '../../conversation/use-session-log.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

/** Events after which the row of the session or its asks may be others. */
const ofTheRow: ReadonlySet<string> = new Set(['status', 'turn', 'error'])
const ofTheRuntime: ReadonlySet<string> = new Set(['runtime', 'status', 'turn'])
const ofTheWork: ReadonlySet<string> = new Set(['file', 'checkpoint', 'turn'])
const pauseMs = 250

const noEnds: AskEnds = new Map()
const noAsks: PendingAsks = new Map()

/** A session: its row, which is read again when the log tells of news, its log, and what its agent asks. */
export function useSession(project_id: string, session_id: string) {
  const client = useClient()
  const queries = useQueryClient()
  const [askEnds, setAskEnds] = useState(noEnds)
  const [pendingAsks, setPendingAsks] = useState(noAsks)
  const due = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const session = useQuery<Session>({
    queryKey: ['session', session_id, 'row'],
    queryFn: () => client.projects.sessions.get(project_id, session_id),
  })
  const reread = useCallback(
    () => queries.invalidateQueries({ queryKey: ['session', session_id] }),
    [queries, session_id],
  )
  const soon = useCallback(
    (part: string) => {
      if (due.current.has(part)) return
      const timer = setTimeout(() => {
        due.current.delete(part)
        void queries.invalidateQueries({ queryKey: ['session', session_id, part] })
      }, pauseMs)
      due.current.set(part, timer)
    },
    [queries, session_id],
  )
  const onEvents = (events: readonly SessionEvent[]) => {
    setAskEnds((ends) => events.reduce(endsAfter, ends))
    setPendingAsks((pending) => events.reduce(pendingAfter, pending))
    const includes = (types: ReadonlySet<string>) => events.some(({ type }) => types.has(type))
    if (includes(ofTheRow)) soon('row')
    if (includes(ofTheRuntime)) soon('runtime')
    if (includes(ofTheWork)) soon('work')
  }
  const log = useSessionLog(project_id, session_id, onEvents)
  useEffect(() => {
    const timers = due.current
    return () => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    }
  }, [])
  return { session, log, askEnds, pendingAsks, reread }
}
