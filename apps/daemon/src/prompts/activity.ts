import type { RuntimeSignal } from '../runtimes/runtime.ts'

/** The runtime's sessions that work, subagents among them. */
export interface Activity {
  onSignal(signal: RuntimeSignal): void
  /** After a gap in the stream: what the runtime itself says. */
  replace(busy: ReadonlyMap<string, 'busy' | 'retrying'>): void
  readonly sessions: ReadonlyMap<string, 'busy' | 'retrying'>
}

export function createActivity(onChange: () => void): Activity {
  let sessions = new Map<string, 'busy' | 'retrying'>()
  return {
    onSignal: (signal) => {
      if (signal.kind !== 'session') return
      if (signal.state === 'idle') sessions.delete(signal.session_id)
      else sessions.set(signal.session_id, signal.state)
      onChange()
    },
    replace: (busy) => {
      sessions = new Map(busy)
      onChange()
    },
    get sessions() {
      return sessions
    },
  }
}
