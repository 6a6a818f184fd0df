import { settled } from '@svc/timing'
import type { Reporter } from '../events/reporter.ts'
import type { OpenRuntime } from '../prompts/runner.ts'
import type { RuntimeClient, RuntimeSignal } from '../runtimes/runtime.ts'
import { deferred } from '../shared/deferred.ts'
import { step } from '../shared/steps.ts'
import type { SessionStore } from '../prompts/session-store.ts'

const connectMs = 3_000

/**
 * Opens the session in a process that can be asked, and follows its events until `gone` fires. Gives the session, and
 * whether the runtime has known it before; null when the process has ended meanwhile.
 */
export async function openRuntimeSession(parts: {
  readonly client: RuntimeClient
  readonly gone: AbortSignal
  readonly title: string
  /** The session was in another sandbox before. */
  readonly continues: boolean
  readonly store: SessionStore
  readonly reporter: Reporter
  readonly onSignal: (signal: RuntimeSignal) => void
}): Promise<(OpenRuntime & { readonly isKnown: boolean }) | null> {
  const { client, gone, store, reporter } = parts
  const known = store.state.runtime_session_id
  const connected = deferred<true>()
  const listen = () =>
    void client.listen(gone, (signal) => {
      if (signal.kind === 'connected') connected.resolve(true)
      parts.onSignal(signal)
    })
  // A session that is not there yet has no event to miss, or to hear twice.
  if (known === null) listen()
  const session_id = await client.openSession(known, parts.title)
  step('runtime_session')
  if (gone.aborted) return null
  if (session_id !== known) {
    const history_owed = known !== null || parts.continues
    store.update({ ...store.state, runtime_session_id: session_id, history_owed })
  }
  reporter.report({ kind: 'runtime_session', runtime_session_id: session_id })
  if (known !== null) listen()
  // A prompt before the stream runs would have its first events only in the replay.
  await settled(connectMs, connected.promise, gone)
  return { client, session_id, isKnown: session_id === known }
}
