/** A prompt from the session's environment, the platform's prompt queue, or a person through the proxy. */
export interface QueuedPrompt {
  readonly prompt_id: string
  readonly text: string
  readonly agent?: string | undefined
  readonly model?: string | undefined
}

/** The state that a session keeps over restarts. `accepted` never shrinks: a prompt id counts once, for ever. */
export interface SessionState {
  readonly runtime_session_id: string | null
  readonly accepted: readonly string[]
  readonly queue: readonly QueuedPrompt[]
  readonly in_flight: string | null
  /** The runtime's session is a fresh one of an older conversation: its next prompt tells what was said. */
  readonly history_owed: boolean
}

export const freshState: SessionState = {
  runtime_session_id: null,
  accepted: [],
  queue: [],
  in_flight: null,
  history_owed: false,
}

export function accept(state: SessionState, prompt: QueuedPrompt): SessionState {
  if (state.accepted.includes(prompt.prompt_id)) return state
  return {
    ...state,
    accepted: [...state.accepted, prompt.prompt_id],
    queue: [...state.queue, prompt],
  }
}

/** Takes the oldest prompt into work; null while one is in work or none waits. */
export function begin(
  state: SessionState,
): { readonly state: SessionState; readonly prompt: QueuedPrompt } | null {
  const [prompt, ...rest] = state.queue
  if (!prompt || state.in_flight !== null) return null
  return { state: { ...state, queue: rest, in_flight: prompt.prompt_id }, prompt }
}

/** Takes a prompt back that is not in work yet; null when it does not wait. */
export function withdraw(state: SessionState, prompt_id: string): SessionState | null {
  const queue = state.queue.filter((prompt) => prompt.prompt_id !== prompt_id)
  return queue.length === state.queue.length ? null : { ...state, queue }
}

/** `taken`: the runtime has the prompt, and with it whatever it was owed. */
export function finish(state: SessionState, taken: boolean): SessionState {
  return { ...state, in_flight: null, history_owed: state.history_owed && !taken }
}
