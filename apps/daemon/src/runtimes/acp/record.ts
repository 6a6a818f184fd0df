import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TranscriptMessage } from '@svc/contract/sandbox'
import { z } from 'zod'
import { makeFolder } from '../../shared/make-folder.ts'
import { shortHash } from '../../shared/short-hash.ts'
import type { RuntimeMessage, TurnRecord } from '../runtime.ts'

const Stored = z.object({
  message: TranscriptMessage,
  aborted: z.boolean(),
  /** The agent's word on why the turn ended, on the last message of a turn. */
  stop_reason: z.string().nullable(),
})
/** The `stop_reason` of a turn whose agent went away. */
export const interrupted = 'interrupted'

export type StoredMessage = z.infer<typeof Stored>

/** The platform's own record of a conversation: what an agent would replay is never used. */
export interface ConversationRecord {
  /** The id of the next message; ids ascend with time. */
  nextId(): string
  /** Written down, on disk before this returns. */
  add(stored: StoredMessage): void
  readonly last: StoredMessage | undefined
  /** The last prompt, where its turn was cut off before the agent did anything: it may know nothing of it. */
  readonly unanswered: string | null
  turnAfter(marker: string | null): TurnRecord
  page(query: { readonly limit: number; readonly before?: string | undefined }): {
    readonly messages: RuntimeMessage[]
    readonly next_before: string | null
  }
}

/**
 * Opens the record of one session of the agent; a last line that was torn by a crash is dropped. `epoch` rises with each
 * process, so that no id is ever given twice, in this sandbox or the next.
 */
export function openRecord(folder: string, session_id: string, epoch: number): ConversationRecord {
  const path = join(folder, `${shortHash(session_id)}.ndjson`)
  const stored = existsSync(path) ? linesOf(readFileSync(path, 'utf8')) : []
  makeFolder(dirname(path), 0o700)
  let count = 0

  return {
    nextId: () => {
      count += 1
      return `msg_${epoch}_${String(count).padStart(6, '0')}`
    },
    add: (message) => {
      stored.push(message)
      const file = openSync(path, 'a', 0o600)
      try {
        writeSync(file, `${JSON.stringify(message)}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    get last() {
      return stored.at(-1)
    },
    get unanswered() {
      const prompt = stored.findLastIndex(({ message }) => message.role === 'user')
      const isLost = stored.slice(prompt + 1).every(({ message, aborted, stop_reason }) => {
        const isEmpty = message.text === '' && message.tools.length === 0 && message.error === null
        return isEmpty && !aborted && (stop_reason ?? interrupted) === interrupted
      })
      return isLost ? (stored[prompt]?.message.text ?? null) : null
    },
    turnAfter: (marker) => {
      const answers = stored.filter(
        ({ message }) => message.role === 'assistant' && (marker === null || message.message_id > marker),
      )
      const ended = answers.findLast(({ stop_reason, message, aborted }) => {
        return stop_reason !== null || message.error !== null || aborted
      })
      const { aborted = false, stop_reason = null } = ended ?? {}
      return {
        answered: ended !== undefined,
        aborted,
        error: aborted ? null : (ended?.message.error ?? null),
        ...(stop_reason === null ? {} : { stop_reason }),
      }
    },
    page: ({ limit, before }) => {
      const earlier = stored.filter(({ message }) => before === undefined || message.message_id < before)
      const messages = earlier.slice(-limit).map(({ message }) => message)
      const next_before = messages.length < earlier.length ? (messages[0]?.message_id ?? null) : null
      return { messages, next_before }
    },
  }
}

function linesOf(text: string): StoredMessage[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.flatMap((line) => {
    try {
      return [Stored.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}
