import { messageOf } from '../log.ts'
import { pause } from '../shared/backoff.ts'
import { deferred } from '../shared/deferred.ts'
import { step } from '../shared/steps.ts'
import type { RuntimeClient, RuntimePrompt, RuntimeSignal, TurnRecord } from '../runtimes/runtime.ts'

export interface TurnOutcome {
  readonly status: 'completed' | 'error' | 'aborted' | 'interrupted'
  readonly error?: string
  readonly stop_reason?: string
  readonly first_token_ms?: number
}

const pollMs = 5_000
const abortAgainMs = 1_000
const secondLookMs = 300
/** So many quiet looks without a word from the runtime mean that it dropped the prompt. */
const quietLooks = 3

/**
 * One prompt from its submission to its end. The runtime's idle and error signals are hints only: both come twice, late,
 * or for a turn before, and an error may be recovered from. The proof of an end is that the session no longer works and
 * that its record holds an answer.
 */
export class Turn {
  readonly #client: RuntimeClient
  readonly #session_id: string
  readonly #prompt: RuntimePrompt
  readonly #interrupted = deferred<TurnOutcome>()
  #wake = new AbortController()
  #abortAsked = false
  #idle = false
  #failed = false
  #failure: string | null = null
  #over = false
  #taken = false

  constructor(client: RuntimeClient, session_id: string, prompt: RuntimePrompt) {
    this.#client = client
    this.#session_id = session_id
    this.#prompt = prompt
  }

  async run(): Promise<TurnOutcome> {
    const outcome = await Promise.race([this.#follow(), this.#interrupted.promise])
    this.#over = true
    this.#wake.abort()
    return outcome
  }

  /** True once the runtime has the prompt. */
  get taken(): boolean {
    return this.#taken
  }

  onSignal(signal: RuntimeSignal): void {
    if (signal.kind === 'session_error') {
      if (signal.session_id !== null && signal.session_id !== this.#session_id) return
      this.#failed = true
      this.#failure = signal.message ?? this.#failure
    } else if (signal.kind === 'session') {
      if (signal.session_id !== this.#session_id) return
      this.#idle = signal.state === 'idle'
      if (!this.#idle) return
    } else if (signal.kind !== 'connected') return
    this.#wake.abort()
  }

  abort(): void {
    this.#abortAsked = true
    this.#wake.abort()
  }

  interrupt(error: string): void {
    this.#interrupted.resolve({ status: 'interrupted', error })
  }

  async #follow(): Promise<TurnOutcome> {
    let marker: string | null
    try {
      marker = await this.#client.marker(this.#session_id)
      if (this.#abortAsked || this.#over) return { status: 'aborted' }
      step('prompt')
      await this.#client.prompt(this.#session_id, this.#prompt)
      this.#taken = true
      step('prompt_taken')
    } catch (error) {
      return { status: 'error', error: messageOf(error) }
    }
    let quiet = 0
    let suspected = false
    while (!this.#over) {
      const signalled = await this.#listen(
        this.#abortAsked ? abortAgainMs : suspected ? secondLookMs : pollMs,
      )
      try {
        if (await this.#works()) {
          quiet = 0
          suspected = false
          if (this.#abortAsked) await this.#client.abort(this.#session_id)
          continue
        }
        const record = await this.#client.turnRecord(this.#session_id, marker)
        quiet = signalled ? quiet : quiet + 1
        if (record.answered && (this.#idle || suspected)) return this.#outcome(record)
        if (this.#abortAsked && quiet > 0) return this.#outcome(record)
        if (suspected && this.#failed) return this.#outcome(record)
        if (quiet >= quietLooks) return this.#outcome(record)
        suspected = record.answered || this.#failed
      } catch {
        // The runtime may be going down, which interrupts the turn; else the next look tells more.
        suspected = false
      }
    }
    return { status: 'interrupted' }
  }

  async #works(): Promise<boolean> {
    return (await this.#client.busySessions()).has(this.#session_id)
  }

  #outcome(record: TurnRecord): TurnOutcome {
    const { stop_reason, first_token_ms } = record
    const why = {
      ...(stop_reason === undefined ? {} : { stop_reason }),
      ...(first_token_ms === undefined ? {} : { first_token_ms }),
    }
    if (record.aborted) return { status: 'aborted', ...why }
    if (record.error !== null) return { status: 'error', error: record.error, ...why }
    if (record.answered) return { status: 'completed', ...why }
    if (this.#abortAsked) return { status: 'aborted' }
    return { status: 'error', error: this.#failure ?? 'The agent runtime gave no answer' }
  }

  /** True when something was heard before the time was over. */
  async #listen(ms: number): Promise<boolean> {
    await pause(ms, this.#wake.signal)
    if (!this.#wake.signal.aborted) return false
    this.#wake = new AbortController()
    return true
  }
}
