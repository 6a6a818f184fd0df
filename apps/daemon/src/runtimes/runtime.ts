import type { SessionEventType, sessionLog } from '@svc/contract'
import type { z } from 'zod'
import type { Log } from '../log.ts'
import type { Gateway } from './gateway.ts'
import type { RuntimeProcess } from './process.ts'
import type { StandbyRuntime } from './standby/standby.ts'

/** One entry for the session's event log. The same happening always has the same `event_id`. */
export interface RuntimeEvent {
  readonly event_id: string
  readonly type: SessionEventType
  readonly at: string
  readonly payload: Record<string, unknown>
}

/** A request of the agent that waits for a person's answer. */
export type Ask =
  | {
      readonly kind: 'permission'
      readonly request_id: string
      readonly permission: string
      readonly patterns: string[]
      /** The answers that the agent offers; left out where the usual three are all. */
      readonly options?: readonly unknown[]
    }
  | { readonly kind: 'question'; readonly request_id: string; readonly questions: unknown[] }

export type RuntimeSignal =
  | { readonly kind: 'event'; readonly event: RuntimeEvent }
  /** `thought`: the agent thinks aloud, which is no part of its answer. */
  | { readonly kind: 'delta'; readonly message_id: string; readonly delta: string; readonly thought?: true }
  /** The end of what a running tool has printed so far. */
  | {
      readonly kind: 'output'
      readonly message_id: string
      readonly call_id: string
      readonly output: string
    }
  | { readonly kind: 'session'; readonly session_id: string; readonly state: 'busy' | 'retrying' | 'idle' }
  /** Not an end by itself: the runtime may recover. */
  | { readonly kind: 'session_error'; readonly session_id: string | null; readonly message: string | null }
  | { readonly kind: 'asked'; readonly ask: Ask }
  | { readonly kind: 'answered'; readonly request_id: string }
  /** The agent’s word on itself, which the platform keeps with the session. */
  | { readonly kind: 'info'; readonly info: RuntimeInfo }
  /** The event stream (again) runs; whatever happened before it was not seen. */
  | { readonly kind: 'connected' }

/** An agent as it speaks of itself; a part that is left out is as it was. */
export interface RuntimeInfo {
  /** Rises with each process of the agent. */
  readonly epoch: number
  readonly state: 'starting' | 'ready' | 'silent' | 'down'
  readonly agent_info?: Record<string, unknown> | null
  readonly protocol_version?: number | null
  readonly capabilities?: Record<string, unknown> | null
  readonly config_options?: unknown[]
  readonly commands?: unknown[]
  /** Time from its start until its session was open. */
  readonly ready_ms?: number
}

export interface RuntimePrompt {
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: string | undefined
}

export type RuntimeMessage = z.infer<typeof sessionLog.TranscriptMessage>

/** The state of a turn, read from the runtime's own record of it. */
export interface TurnRecord {
  /** An answer that is complete, or that failed, follows the marker. */
  readonly answered: boolean
  readonly aborted: boolean
  readonly error: string | null
  /** The agent's own word on why it ended. */
  readonly stop_reason?: string
  /** Time from the prompt to the first word or tool, where this process of the runtime saw it. */
  readonly first_token_ms?: number
}

/** The answer to a permission: by its sense, or one of those that the agent offered. */
export type PermissionReply = 'once' | 'always' | 'reject' | { readonly option_id: string }

/** The daemon's client of a running runtime, whatever protocol that has. */
export interface RuntimeClient {
  /** Opens the session of an earlier run, or a fresh one; `title` spares the runtime from asking a model for one. */
  openSession(known: string | null, title: string): Promise<string>
  /** Feeds the process's events until the signal fires; reconnects by itself. */
  listen(signal: AbortSignal, onSignal: (signal: RuntimeSignal) => void): Promise<void>
  /** Sessions that work right now, subagents among them. */
  busySessions(): Promise<ReadonlyMap<string, 'busy' | 'retrying'>>
  /** Marks the place after which the next turn's messages come. */
  marker(session_id: string): Promise<string | null>
  prompt(session_id: string, prompt: RuntimePrompt): Promise<void>
  turnRecord(session_id: string, marker: string | null): Promise<TurnRecord>
  abort(session_id: string): Promise<void>
  revert(session_id: string, message_id: string): Promise<void>
  messages(
    session_id: string,
    page: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<{ readonly messages: RuntimeMessage[]; readonly next_before: string | null }>
  /** 400 for an answer that the runtime does not offer. */
  answerPermission(request_id: string, reply: PermissionReply, message?: string): Promise<void>
  answerQuestion(request_id: string, answers: string[][] | null): Promise<void>
  healthy(): Promise<boolean>
  /** Sets options of the agent, and gives them all; left out by a runtime without any. */
  configure?(session_id: string, config: Readonly<Record<string, unknown>>): Promise<unknown[]>
}

/** A runtime's own server, which people reach through the daemon. */
export interface RuntimeHttp {
  readonly host: string
  readonly port: number
  /** The header that it demands. */
  readonly authorization: string
}

/** One process of a runtime that can be asked. */
export interface RunningRuntime extends RuntimeProcess {
  readonly client: RuntimeClient
  /** Left out by a runtime without a server. */
  readonly http?: RuntimeHttp
}

export interface RuntimeStart {
  /** The variables that the session gives the process, before the runtime's own settings. */
  readonly env: Readonly<Record<string, string>>
  /** Tells this sandbox's processes from those of any other on the machine. */
  readonly owner: string
  /** A process that was started before the session was known, for a runtime that can go on with it. */
  readonly standby: StandbyRuntime | null
  readonly timeoutMs: number
  /** Fires when the process is not wanted any more. */
  readonly signal: AbortSignal
}

/** The parts that every runtime is made with. */
export interface RuntimeParts {
  readonly workspace: string
  readonly home: string
  readonly host: string
  readonly port: number
  readonly gateway: Gateway
  /** The session's agent. */
  readonly agent: string | undefined
  /** The skills that it may use; null is every one that there is. */
  readonly skills: readonly string[] | null
  readonly instructions: string
  readonly secretNames: () => readonly string[]
  /** The secret that the next process is told to demand of its callers. */
  readonly secret: () => string
  readonly log: Log
}

/** The parts that are known of a sandbox before it has a session. */
export type StandbyParts = Pick<RuntimeParts, 'workspace' | 'home' | 'host' | 'port'> & {
  readonly secret: string
  /** The environment that the sandbox was born with. */
  readonly env: Readonly<Record<string, string>>
}

export interface AgentRuntime {
  readonly name: string
  /** Resolves once it can be asked; throws why it does not get so far, and nothing of it is left then. */
  start(start: RuntimeStart): Promise<RunningRuntime>
  /** Called when the repository's settings are there and before the first session is opened; true when it must start anew. */
  settle(): Promise<boolean>
  /** True when a turn may begin before the rest of the repository is there: the agent's tools wait for it. */
  readonly begins_early: boolean
  /** Called when the repository is whole. */
  arrived(): Promise<void>
}

export type CreateRuntime = (parts: RuntimeParts) => AgentRuntime

/** The request made no sense to the runtime; `status` as for an HTTP answer. */
export class RuntimeRefusal extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly code: string
  constructor(
    message: string,
    status: number,
    details: Readonly<Record<string, unknown>> = {},
    code = 'runtime_refused',
  ) {
    super(message)
    this.name = 'RuntimeRefusal'
    this.status = status
    this.details = details
    this.code = code
  }
}
