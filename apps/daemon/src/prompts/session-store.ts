import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { freshState, type SessionState } from './queue.ts'
import { writeFileAtomically } from '../shared/write-file.ts'

const Stored = z.object({
  version: z.literal(1),
  runtime_session_id: z.string().nullable(),
  accepted: z.array(z.string()),
  queue: z.array(
    z.object({
      prompt_id: z.string(),
      text: z.string(),
      agent: z.string().optional(),
      model: z.string().optional(),
    }),
  ),
  in_flight: z.string().nullable(),
  history_owed: z.boolean().default(false),
})

export interface SessionStore {
  readonly state: SessionState
  /** On disk before it returns. */
  update(next: SessionState): void
}

/** A file that cannot be read as ours is an error: starting afresh would run the first prompt a second time. */
export function openSessionStore(path: string): SessionStore {
  let state: SessionState = existsSync(path)
    ? Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
    : freshState
  return {
    get state() {
      return state
    },
    update: (next) => {
      if (next === state) return
      const stored = { version: 1, ...next }
      writeFileAtomically(path, `${JSON.stringify(stored)}\n`)
      state = next
    },
  }
}
