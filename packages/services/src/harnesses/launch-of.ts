import { type Db, sessionRuntimes } from '@svc/db'
import { type HarnessLaunch, harnessLaunch } from '@svc/harness'

/** The harness of a session as its sandbox starts it, from its folder; null for a runtime with a server of its own. */
export async function launchOf(
  db: Db,
  session_id: string,
  folder: string | null,
): Promise<HarnessLaunch | null> {
  const runtime = await sessionRuntimes.find(db, session_id)
  if (runtime === undefined || runtime.settings === null) return null
  const { harness, version, auth, settings } = runtime
  return harnessLaunch({ harness, version, auth, settings }, folder)
}
