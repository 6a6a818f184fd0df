import { join } from 'node:path'
import type { Reporter } from '../events/reporter.ts'
import type { DaemonEnv } from '../env.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { asWritten, createGitWith } from './git-with.ts'
import { makeSpare, spareGit } from './spare.ts'
import { createCheckpointStore } from './store.ts'

const none: Checkpoints = { save: async () => null, restore: async () => undefined }

/** The checkpoints of this sandbox's session, with the sandbox's own key as their credential. */
export function openCheckpoints(
  env: DaemonEnv,
  reporter: Reporter,
  signal: AbortSignal,
  log: Log,
): Checkpoints {
  const { workspace, home, session_id, service_key } = env
  if (!env.auto_clone || service_key === undefined) return none
  const basic = Buffer.from(`sandbox:${service_key}`).toString('base64')
  log.hide(basic)
  const local = createGitWith({ workspace, home, timeoutMs: daemonLimits.checkpointGitMs })
  const url = `${env.api_url}/git/${env.project_id}.git`
  const remote = createGitWith({
    workspace,
    home,
    timeoutMs: daemonLimits.checkpointGitMs,
    settings: [['http.extraHeader', `Authorization: Basic ${basic}`], ...asWritten(url)],
  })
  const spare_dir = join(env.state_dir, 'spare.git')
  return createCheckpoints({
    git: local,
    store: createCheckpointStore({ git: remote, url, session_id }),
    spare: async () => {
      const git = spareGit(local, workspace, spare_dir)
      await makeSpare(git, spare_dir)
      const store = createCheckpointStore({ git: spareGit(remote, workspace, spare_dir), url, session_id })
      return { git, store }
    },
    workspace,
    index_file: join(env.state_dir, 'checkpoint.index'),
    isPushed: async (head) => {
      const { ok, stdout } = await local({}, 'branch', '-r', '--contains', head)
      return ok && stdout.trim() !== ''
    },
    onEvent: (event) => {
      const at = new Date().toISOString()
      const event_id = `checkpoint:${event.state}:${event.number ?? 0}:${at}`
      reporter.event({ event_id, type: 'checkpoint', at, payload: { ...event } })
    },
    signal,
    log,
  })
}
