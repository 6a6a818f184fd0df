import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'

export type PermissionReply = {
  readonly reply: 'once' | 'always' | 'reject'
  readonly message?: string | undefined
}

export interface Asks {
  /** Waits for a person; an aborted turn counts as a refusal. */
  permission(
    ask: {
      readonly session_id: string
      readonly permission: string
      readonly patterns: readonly string[]
    },
    signal: AbortSignal | undefined,
  ): Promise<PermissionReply>
  /** Null when the person does not want to answer. */
  question(
    ask: { readonly session_id: string; readonly questions: readonly unknown[] },
    signal: AbortSignal | undefined,
  ): Promise<string[][] | null>
  /** False when no ask with this id waits. */
  answerPermission(id: string, reply: PermissionReply): boolean
  answerQuestion(id: string, answers: string[][] | null): boolean
}

interface Waiting<T> {
  readonly session_id: string
  readonly settle: (value: T) => void
}

export function createAsks(bus: Bus): Asks {
  const permissions = new Map<string, Waiting<PermissionReply>>()
  const questions = new Map<string, Waiting<string[][] | null>>()

  function wait<T>(
    open: Map<string, Waiting<T>>,
    id: string,
    session_id: string,
    refused: T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return new Promise((resolve) => {
      const settle = (value: T): void => {
        open.delete(id)
        signal?.removeEventListener('abort', cancel)
        resolve(value)
      }
      const cancel = (): void => settle(refused)
      open.set(id, { session_id, settle })
      if (signal?.aborted) cancel()
      else signal?.addEventListener('abort', cancel)
    })
  }

  return {
    permission: ({ session_id, permission, patterns }, signal) => {
      const id = `per_${randomUUID()}`
      const answer = wait(permissions, id, session_id, { reply: 'reject' as const }, signal)
      bus.publish('permission.asked', { id, sessionID: session_id, permission, patterns })
      return answer
    },
    question: ({ session_id, questions: asked }, signal) => {
      const id = `que_${randomUUID()}`
      const answer = wait(questions, id, session_id, null, signal)
      bus.publish('question.asked', { id, sessionID: session_id, questions: asked })
      return answer
    },
    answerPermission: (id, reply) => {
      const open = permissions.get(id)
      if (!open) return false
      bus.publish('permission.replied', { sessionID: open.session_id, requestID: id, reply: reply.reply })
      open.settle(reply)
      return true
    },
    answerQuestion: (id, answers) => {
      const open = questions.get(id)
      if (!open) return false
      const properties = { sessionID: open.session_id, requestID: id }
      if (answers === null) bus.publish('question.rejected', properties)
      else bus.publish('question.replied', { ...properties, answers })
      open.settle(answers)
      return true
    },
  }
}
