import { orAborted } from '@svc/timing'
import { settingsIn } from '../runtimes/manifest-settings.ts'
import type { PrewarmTarget } from '../runtimes/standby/prewarm-target.ts'
import type { SetEnvironment, StandbyLaunch } from '../runtimes/standby/standby.ts'
import { deferred } from '../shared/deferred.ts'
import { openFixture } from './fixture.ts'

/** The host on which the model of the prewarming listens, and the home that it may write to. */
export interface PrewarmParts {
  readonly host: string
  readonly home: string
}

/**
 * Has a process that stands by work through one turn of a made-up session, in a folder of its own and with a model of ours.
 * No session's first turn waits for the code that is loaded and compiled by then, here and in that process.
 */
export async function prewarm(
  launch: StandbyLaunch,
  parts: PrewarmParts,
  setEnvironment: SetEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const { fixture, close } = await openFixture(parts.host, parts.home)
  try {
    signal.throwIfAborted()
    // As every session's daemon does before it opens its session.
    await settingsIn(fixture.workspace)
    const target = await launch.prewarm(fixture)
    await setEnvironment(target.env)
    await runTurn(target, signal)
  } finally {
    await close()
  }
}

async function runTurn({ client, forget }: PrewarmTarget, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const [connected, spoken, idle] = [deferred<void>(), deferred<void>(), deferred<void>()]
  let session_id: string | null = null
  void client.listen(over.signal, (received) => {
    if (received.kind === 'connected') connected.resolve()
    if (received.kind === 'delta') spoken.resolve()
    if (received.kind === 'session' && received.state === 'idle') idle.resolve()
  })
  try {
    // Waited for to its end: a project that is being opened reads the environment, which must not change meanwhile.
    session_id = await client.openSession(null, 'prewarming')
    await orAborted(connected.promise, signal)
    await orAborted(client.prompt(session_id, { text: 'Are you ready?' }), signal)
    await orAborted(Promise.all([spoken.promise, idle.promise]), signal)
  } finally {
    over.abort()
    await forget(session_id)
  }
}
