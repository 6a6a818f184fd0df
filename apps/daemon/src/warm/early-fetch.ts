import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Forwarders, openForwarders } from '../network/forward.ts'
import { originOf, placesOf } from '../places.ts'
import { beginClone, remoteRef, startOf } from '../repository/begin-clone.ts'
import type { Begun } from '../repository/clone.ts'
import { createGit } from '../repository/git.ts'
import { ownAuth, withAuth } from '../repository/own-auth.ts'
import { beginCheckOut } from '../repository/quick-check-out.ts'

/** What the origin was asked for already, and the way there. */
export interface EarlyFetch {
  /** Of a sandbox with a network of its own. */
  readonly forwarders: Forwarders | null
  /** Null where the clone has to begin anew. Known once nothing more has to come, and files are being written. */
  readonly begun: Promise<Begun | null>
}

/**
 * Asks the platform's own origin for a new session's repository while the daemon itself is loaded; null where somebody
 * may have begun here before, or the origin is another's. This file and what it imports are what a sandbox loads first.
 */
export async function startEarlyFetch(env: NodeJS.ProcessEnv): Promise<EarlyFetch | null> {
  const { workspace, home, state_dir, relay } = placesOf(env)
  const origin = originOf(env)
  const auth = ownAuth({ ...origin, token: env['SVC_CLI_TOKEN'] })
  if (!origin.auto_clone || !origin.is_new || auth === null || env['SVC_WARM_KEY'] !== undefined) return null
  if (existsSync(join(workspace, '.git')) || existsSync(join(state_dir, 'state.json'))) return null
  const forwarders = relay === null ? null : await openForwarders(relay)
  const git = createGit(workspace, home)
  const begun = beginClone({
    ...origin,
    ...{ git, workspace, home },
    authorized: async () => createGit(workspace, home, withAuth(origin.repo_url, auth)),
    prepare: async () => undefined,
  }).then(async (refs) => {
    const start = startOf(refs, origin)
    const commit = start === undefined ? null : remoteRef(start)
    const files = commit === null ? null : await beginCheckOut({ git, workspace, commit }).catch(() => null)
    return { refs, written: files?.written ?? Promise.resolve(false) }
  })
  // What went wrong is met again, and told, by the one who clones.
  return { forwarders, begun: begun.catch(() => null) }
}
