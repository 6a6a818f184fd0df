import type { SessionEvent } from '@svc/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { keepOn } from '../live/keep-on.ts'
import { useSeen } from '../live/use-seen.ts'
import { withStream } from '../live/with-stream.ts'
import { emptyLog, logAfter, logAfterCut, type SessionLog } from './session-log.ts'

const pollMs = 2_000
const pageSize = 200

/**
 * The event log of a session as it grows. It follows while the page is seen, and goes on where it was after a cut. Where
 * other tabs have all the streams of the browser, it asks for what is new.
 */
export function useSessionLog(
  project_id: string,
  session_id: string,
  onEvents: (events: readonly SessionEvent[]) => void,
): SessionLog {
  const client = useClient()
  const seen = useSeen()
  const [log, setLog] = useState(emptyLog)
  const notify = useEffectEvent(onEvents)
  const lastSeq = useEffectEvent(() => log.last_seq)
  useEffect(() => {
    if (!seen) return
    const left = new AbortController()
    const { signal } = left
    let last = lastSeq()
    let batch: SessionEvent[] = []
    let frame = 0
    // What arrives within one frame is painted together.
    const flush = () => {
      frame = 0
      const events = batch
      batch = []
      setLog((before) => events.reduce(logAfter, before))
      notify(events)
    }
    const { sessions } = client.projects
    const take = (event: SessionEvent) => {
      if (event.seq > last && event.type !== 'message.delta') last = event.seq
      batch.push(event)
      frame ||= requestAnimationFrame(flush)
    }
    let isCut = false
    const follow = async () => {
      if (isCut) setLog(logAfterCut)
      isCut = true
      const options = { signal, after: last, max_reconnects: 0 }
      for await (const event of sessions.stream(project_id, session_id, options)) take(event)
    }
    const catchUp = async () => {
      for (;;) {
        const query = { after: last, limit: pageSize }
        const { events } = await sessions.events(project_id, session_id, query, { signal })
        for (const event of events) take(event)
        if (events.length < pageSize) return
      }
    }
    void keepOn(signal, async () => {
      if (await withStream(follow)) return
      await catchUp()
      return pollMs
    })
    return () => {
      left.abort()
      cancelAnimationFrame(frame)
      if (batch.length > 0) flush()
    }
  }, [client, project_id, session_id, seen])
  return log
}
