import { type Db, sessionRuntimes, type sessions } from '@svc/db'
import { harnessRuntime } from '@svc/facts'
import { type HarnessLaunch, harnessLaunch } from '@svc/harness'

/** The harness of a session as its sandbox starts it, from its folder; null for a runtime with a server of its own. */
export async function launchOf(
  db: Db,
  { session_id, requested }: Pick<sessions.SessionView, 'session_id' | 'requested'>,
  folder: string | null,
): Promise<HarnessLaunch | null> {
  if (requested.runtime !== harnessRuntime) return null
  const runtime = await sessionRuntimes.find(db, session_id)
  if (runtime === undefined || runtime.settings === null) return null
  const { harness, version, auth, settings } = runtime
  return harnessLaunch({ harness, version, auth, settings }, folder)
}
