import type { SessionEvent } from '@svc/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'
import { useSeen } from '../live/use-seen.ts'
import { emptyLog, logAfter, type SessionLog } from './session-log.ts'

const firstMs = 1_000
const maxMs = 30_000

/** The event log of a session as it grows. It follows while the page is seen, and goes on where it was after a cut. */
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
    const follow = async () => {
      const options = { signal, after: last, max_reconnects: 0 }
      for await (const event of client.projects.sessions.stream(project_id, session_id, options)) {
        if (event.seq > last && event.type !== 'message.delta') last = event.seq
        batch.push(event)
        frame ||= requestAnimationFrame(flush)
      }
    }
    const keepOn = async () => {
      let delay = firstMs
      while (!signal.aborted) {
        const began = Date.now()
        await follow().catch(() => undefined)
        if (signal.aborted) return
        if (Date.now() - began > maxMs) delay = firstMs
        await new Promise((resolve) => setTimeout(resolve, delay * (0.75 + Math.random() / 2)))
        delay = Math.min(maxMs, delay * 2)
      }
    }
    void keepOn()
    return () => {
      left.abort()
      cancelAnimationFrame(frame)
      if (batch.length > 0) flush()
    }
  }, [client, project_id, session_id, seen])
  return log
}
