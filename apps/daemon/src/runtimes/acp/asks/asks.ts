import type { CreateElicitationResponse, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { SessionEventType } from '@svc/contract'
import { offeredFor, type OfferedAnswer } from '@svc/harness'
import { decide, matches, type rulesOf } from '../../agent-files/permissions.ts'
import { type PermissionReply, RuntimeRefusal, type RuntimeSignal } from '../../runtime.ts'
import { answersTo, type Form, questionsOf } from './form.ts'
import { type PermissionRequest, subjectOf } from './permission-request.ts'

/** So many requests stand before people at a time; further ones wait for their turn, and none is dropped. */
const maxOpen = 64

type Reply = 'once' | 'always' | 'reject'

interface Waiting {
  readonly kind: 'permission' | 'question'
  /** Null while it stands in line. */
  show(): void
  /** The turn or the process is over: the agent is answered `cancelled`. */
  cancel(): void
}

interface OpenPermission extends Waiting {
  readonly kind: 'permission'
  answer(reply: PermissionReply, message: string | undefined): void
}

interface OpenQuestion extends Waiting {
  readonly kind: 'question'
  answer(answers: string[][] | null): void
}

/** The requests of an agent for leave and for words, each of which is answered once. */
export interface AcpAsks {
  permission(request: PermissionRequest): Promise<RequestPermissionResponse>
  form(form: Form): Promise<CreateElicitationResponse>
  answerPermission(request_id: string, reply: PermissionReply, message: string | undefined): void
  answerQuestion(request_id: string, answers: string[][] | null): void
  cancelAll(): void
  readonly open: number
}

export function createAsks(parts: {
  readonly workspace: string
  /** The number of this process: ids of an earlier one mean nothing to it. */
  readonly epoch: number
  /** Of the agent's file; null where the program holds to them itself, and asks for the rest. */
  readonly rules: () => ReturnType<typeof rulesOf> | null
  readonly kindOf: (call_id: string) => string | undefined
  readonly emit: (signal: RuntimeSignal) => void
  readonly now: () => number
}): AcpAsks {
  const { workspace, epoch, emit } = parts
  const open = new Map<string, OpenPermission | OpenQuestion>()
  const inLine: string[] = []
  const granted: { readonly permission: string; readonly pattern: string }[] = []
  let made = 0

  function event(type: SessionEventType, event_id: string, payload: object): void {
    const at = new Date(parts.now()).toISOString()
    emit({ kind: 'event', event: { event_id, type, at, payload: { ...payload } } })
  }

  function add(request_id: string, waiting: OpenPermission | OpenQuestion): void {
    open.set(request_id, waiting)
    if (open.size - inLine.length <= maxOpen) waiting.show()
    else inLine.push(request_id)
  }

  /** Takes a request off, and lets the next one of the line stand before people. */
  function take(request_id: string): boolean {
    if (!open.delete(request_id)) return false
    const place = inLine.indexOf(request_id)
    if (place !== -1) inLine.splice(place, 1)
    else {
      emit({ kind: 'answered', request_id })
      const next = inLine.shift()
      if (next !== undefined) open.get(next)?.show()
    }
    return true
  }

  const id = (word: string): string => {
    made += 1
    return `${epoch}-${word}-${made}`
  }

  const selected = (option: OfferedAnswer): RequestPermissionResponse => ({
    outcome: { outcome: 'selected', optionId: option.option_id },
  })
  const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

  function permission(request: PermissionRequest): Promise<RequestPermissionResponse> {
    const offered = request.options.map(({ optionId, name, kind }) => ({ option_id: optionId, name, kind }))
    const { permission: name, patterns } = subjectOf(
      request,
      workspace,
      parts.kindOf(request.toolCall.toolCallId),
    )
    const answerWith = (reply: Reply): RequestPermissionResponse => {
      const option = offeredFor(reply, offered)
      return option === undefined ? cancelled : selected(option)
    }
    const rules = parts.rules()
    const verdict = rules === null ? 'ask' : decide(rules, name, patterns)
    if (verdict === 'deny') {
      const request_id = id('per')
      const subject = { request_id, permission: name, patterns }
      event('permission', `permission:${request_id}:rejected`, {
        ...subject,
        state: 'rejected',
        by: 'agent_file',
      })
      return Promise.resolve(answerWith('reject'))
    }
    const isGranted = patterns.every((pattern) =>
      granted.some((grant) => grant.permission === name && matches(grant.pattern, pattern)),
    )
    if (verdict === 'allow' || isGranted) return Promise.resolve(answerWith('once'))

    const request_id = id('per')
    return new Promise((resolve) => {
      add(request_id, {
        kind: 'permission',
        show: () => {
          const subject = { request_id, permission: name, patterns }
          event('permission', `permission:${request_id}`, { ...subject, options: offered, state: 'asked' })
          emit({ kind: 'asked', ask: { kind: 'permission', ...subject, options: offered } })
        },
        cancel: () => resolve(cancelled),
        answer: (reply, message) => {
          const option =
            typeof reply === 'string'
              ? offeredFor(reply, offered)
              : offered.find(({ option_id }) => option_id === reply.option_id)
          // A refusal that the agent offers no word for is no answer at all.
          if (option === undefined && reply !== 'reject')
            throw new RuntimeRefusal(
              `The agent offers no such answer; it offers ${offered.map(({ option_id }) => option_id).join(', ')}`,
              400,
              { options: offered },
            )
          if (!take(request_id)) return
          const isRefusal = reply === 'reject' || (option?.kind.startsWith('reject') ?? false)
          if (reply === 'always') granted.push(...patterns.map((pattern) => ({ permission: name, pattern })))
          const state = isRefusal ? 'rejected' : 'replied'
          const said = typeof reply === 'string' ? { reply } : { option_id: reply.option_id }
          const words = message === undefined ? {} : { message }
          event('permission', `permission:${request_id}:${state}`, { request_id, state, ...said, ...words })
          resolve(option === undefined ? cancelled : selected(option))
        },
      })
    })
  }

  function form(asked: Form): Promise<CreateElicitationResponse> {
    const request_id = id('que')
    const questions = questionsOf(asked)
    return new Promise((resolve) => {
      add(request_id, {
        kind: 'question',
        show: () => {
          event('question', `question:${request_id}`, { request_id, questions, state: 'asked' })
          emit({ kind: 'asked', ask: { kind: 'question', request_id, questions } })
        },
        cancel: () => resolve({ action: 'cancel' }),
        answer: (answers) => {
          const content = answers === null ? null : answersTo(asked, answers)
          if (!take(request_id)) return
          const state = answers === null ? 'rejected' : 'replied'
          const said = answers === null ? {} : { answers }
          event('question', `question:${request_id}:${state}`, { request_id, state, ...said })
          resolve(content === null ? { action: 'decline' } : { action: 'accept', content })
        },
      })
    })
  }

  const gone = (request_id: string): RuntimeRefusal =>
    new RuntimeRefusal(`The agent waits for no answer to ${request_id} any more`, 409)

  return {
    permission,
    form,
    answerPermission: (request_id, reply, message) => {
      const waiting = open.get(request_id)
      if (waiting?.kind !== 'permission') throw gone(request_id)
      waiting.answer(reply, message)
    },
    answerQuestion: (request_id, answers) => {
      const waiting = open.get(request_id)
      if (waiting?.kind !== 'question') throw gone(request_id)
      waiting.answer(answers)
    },
    cancelAll: () => {
      inLine.length = 0
      const waiting = [...open.values()]
      open.clear()
      for (const one of waiting) one.cancel()
    },
    get open() {
      return open.size
    },
  }
}
