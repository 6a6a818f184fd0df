import { useEffect, useState } from 'react'
import { type BoardAsk, boardAfter, type PendingAsks, settledHere } from './ask-board.ts'

/** The pause after which the log has caught up: an ask that ended before the page was opened never appears. */
const pauseMs = 250

const noAsks: readonly BoardAsk[] = []

/** The requests that the agent waits for, and those that it waited for while this page was looked at. */
export function useAsks(pending: PendingAsks) {
  const [board, setBoard] = useState(noAsks)
  useEffect(() => {
    const due = setTimeout(() => setBoard((before) => boardAfter(before, [...pending.values()])), pauseMs)
    return () => clearTimeout(due)
  }, [pending])
  const onSettled = (request_id: string) => setBoard((before) => settledHere(before, request_id))
  return { board, onSettled }
}
