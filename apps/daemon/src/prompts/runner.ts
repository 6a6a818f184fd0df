import type { Log } from '../log.ts'
import type { RuntimeClient, RuntimeSignal } from '../runtimes/runtime.ts'
import { pause } from '../shared/backoff.ts'
import type { SessionStore } from './session-store.ts'
import { accept, begin, finish, type QueuedPrompt, withdraw } from './queue.ts'
import { Turn, type TurnOutcome } from './turn.ts'

export interface OpenRuntime {
  readonly client: RuntimeClient
  readonly session_id: string
}

export interface RunnerParts {
  readonly store: SessionStore
  /** Null while the runtime boots or is down. */
  readonly runtime: () => OpenRuntime | null
  /** False when something else wants the runtime first, such as a restart; the runner is woken again afterwards. */
  readonly mayBegin: () => boolean
  /** The text that the runtime is given for a prompt. */
  readonly wording: (prompt: QueuedPrompt) => Promise<string>
  readonly onBegin: (prompt: QueuedPrompt) => void
  readonly onEnd: (prompt_id: string, outcome: TurnOutcome) => void
  readonly log: Log
}

const laterMs = 1_000

/** Works off the prompts one by one; the runtime is never given one while it works. */
export class PromptRunner {
  readonly #parts: RunnerParts
  readonly #stop = new AbortController()
  #turn: Turn | null = null
  #loop: Promise<void> | null = null
  #again = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** A turn that was in work when an earlier process died has no other end. */
  recover(): void {
    const { store, onEnd } = this.#parts
    const lost = store.state.in_flight
    if (lost === null) return
    onEnd(lost, { status: 'interrupted', error: 'The sandbox stopped in the middle of this turn' })
    store.update(finish(store.state, false))
  }

  accept(prompt: QueuedPrompt): void {
    const { store } = this.#parts
    store.update(accept(store.state, prompt))
    this.wake()
  }

  /** False when it does not wait here: it was never accepted, or has its turn. */
  withdraw(prompt_id: string): boolean {
    const { store } = this.#parts
    const without = withdraw(store.state, prompt_id)
    if (without) store.update(without)
    return without !== null
  }

  /** Ends what waits, when nothing is left that could work on it; a turn that was cut short has its own end first. */
  async giveUp(error: string): Promise<void> {
    const { store, onEnd } = this.#parts
    await this.#loop
    for (let next = begin(store.state); next; next = begin(store.state)) {
      store.update(next.state)
      onEnd(next.prompt.prompt_id, { status: 'error', error })
      store.update(finish(store.state, false))
    }
  }

  wake(): void {
    if (this.#stop.signal.aborted) return
    // The loop may have looked already at the state that has just changed.
    this.#again = this.#loop !== null
    if (this.#loop) return
    this.#loop = this.#work()
      .catch(async (error: unknown) => {
        // Such as a full disk, in which the agent may make room again.
        this.#parts.log.error('the prompt queue stops for a moment', { error })
        await pause(laterMs, this.#stop.signal)
        this.#again = true
      })
      .finally(() => {
        this.#loop = null
        if (this.#again) this.wake()
      })
  }

  get current(): string | null {
    return this.#turn === null ? null : this.#parts.store.state.in_flight
  }

  onSignal(signal: RuntimeSignal): void {
    this.#turn?.onSignal(signal)
  }

  /** False when nothing of ours is in work. */
  abort(): boolean {
    this.#turn?.abort()
    return this.#turn !== null
  }

  interrupt(error: string): void {
    this.#turn?.interrupt(error)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.interrupt('The sandbox was stopped')
    await this.#loop
  }

  async #work(): Promise<void> {
    const { store, runtime, mayBegin, wording, onBegin, onEnd } = this.#parts
    while (!this.#stop.signal.aborted) {
      // A turn whose end was told and could not be written down.
      if (store.state.in_flight !== null) store.update(finish(store.state, false))
      const open = runtime()
      if (!open || store.state.queue.length === 0 || !mayBegin()) return
      if (await this.#isOtherwiseBusy(open)) {
        await pause(laterMs, this.#stop.signal)
        continue
      }
      const first = store.state.queue[0]
      const text = first === undefined ? '' : await wording(first)
      // The questions above took time: the runtime may be another one by now, and the prompt withdrawn.
      if (runtime()?.client !== open.client || store.state.queue[0] !== first) continue
      if (!mayBegin()) return
      const next = begin(store.state)
      if (!next) return
      store.update(next.state)
      const turn = new Turn(open.client, open.session_id, { ...next.prompt, text })
      this.#turn = turn
      onBegin(next.prompt)
      const outcome = await turn.run()
      this.#turn = null
      onEnd(next.prompt.prompt_id, outcome)
      store.update(finish(store.state, turn.taken))
    }
  }

  /** True while the session is busy: a person may have spoken with the runtime past the queue. */
  async #isOtherwiseBusy({ client, session_id }: OpenRuntime): Promise<boolean> {
    try {
      return (await client.busySessions()).has(session_id)
    } catch {
      return true
    }
  }
}
