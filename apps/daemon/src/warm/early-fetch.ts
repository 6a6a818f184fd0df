import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DaemonServer, openDaemonServer } from '../serving/daemon-server.ts'
import type { Log } from '../log.ts'
import { type Forwarders, openForwarders } from '../network/forward.ts'
import { listenOf, originOf, placesOf } from '../places.ts'
import { beginClone, remoteRef, startOf } from '../repository/begin-clone.ts'
import type { StartedClone } from '../repository/clone.ts'
import { createGit } from '../git/git.ts'
import { ownAuth, withAuth } from '../repository/own-auth.ts'
import { beginCheckOut } from '../repository/quick-check-out.ts'
import { receiveRepository } from './receive-repository.ts'

/** The early knowledge of the repository, while the daemon is loaded, and the ways that were opened for it. */
export interface EarlyFetch {
  /** Of a sandbox with a network of its own. */
  readonly forwarders: Forwarders | null
  /** Null where nothing was to come through it yet. */
  readonly server: DaemonServer | null
  /** Null where the clone has to begin anew. Known once nothing more has to come, and files are being written. */
  readonly begun: Promise<StartedClone | null>
}

/**
 * Takes a new session's repository from the platform, or asks the platform's own origin for it, while the daemon itself is
 * loaded; null where an earlier daemon may have begun here, or the origin is another's. A sandbox loads this file, and
 * its imports, first.
 */
export async function startEarlyFetch(
  env: NodeJS.ProcessEnv,
  log: Log,
  open: DaemonServer | null = null,
): Promise<EarlyFetch | null> {
  const { workspace, home, state_dir, relay } = placesOf(env)
  const origin = originOf(env)
  const auth = ownAuth({ ...origin, token: env['SVC_CLI_TOKEN'] })
  if (!origin.auto_clone || !origin.is_new || auth === null || env['SVC_WARM_KEY'] !== undefined) return null
  if (existsSync(join(workspace, '.git')) || existsSync(join(state_dir, 'state.json'))) return null
  const key = origin.is_sent ? env['SVC_SANDBOX_TOKEN'] : undefined
  const server = key === undefined ? open : (open ?? (await openDaemonServer(listenOf(env), log)))
  const parts = { ...origin, git: createGit(workspace, home), workspace, home }
  const sent =
    key === undefined || server === null ? Promise.resolve(null) : receiveRepository(server, key, parts, log)
  const forwarders = relay === null ? null : await openForwarders(relay)
  const fetched = () =>
    beginClone({
      ...parts,
      authorized: async () => createGit(workspace, home, withAuth(origin.repo_url, auth)),
      prepare: async () => undefined,
    })
  const begun = sent.then(async (come): Promise<StartedClone> => {
    const refs = come ?? (await fetched())
    const start = startOf(refs, origin)
    const commit = start === undefined ? null : remoteRef(start)
    const files = commit === null ? null : await beginCheckOut({ ...parts, commit }).catch(() => null)
    return { refs, written: files?.written ?? Promise.resolve(false) }
  })
  // The clone meets an error of the fetch again, and reports it.
  return { forwarders, server, begun: begun.catch(() => null) }
}
