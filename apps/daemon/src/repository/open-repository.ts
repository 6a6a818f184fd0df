import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DaemonEnv } from '../env.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import { openRetryingProxy } from '../network/retrying-proxy.ts'
import { type PlatformApi, PlatformError } from '../platform/platform-api.ts'
import { whileAway } from '@svc/timing'
import { writeFileAtomically } from '../shared/write-file.ts'
import type { StartedClone } from './clone.ts'
import { openCredentialSocket } from './credential-socket.ts'
import { createGit, type Git } from '../git/git.ts'
import { basicOf, ownAuth, withAuth } from './own-auth.ts'
import { createRepository, type Repository, type RepositoryParts, type Restoration } from './repository.ts'

/** The clone in the workspace, with the socket behind git's credential helper. */
export async function openRepository(
  env: DaemonEnv,
  api: PlatformApi,
  restore: () => Promise<void>,
  start: { readonly begun: Promise<StartedClone | null> | null } & Pick<
    RepositoryParts,
    'is_awaited' | 'calm'
  >,
  signal: AbortSignal,
  log: Log,
): Promise<Repository & { readonly ports: readonly number[]; close(): void }> {
  const folder = env.run_dir ?? env.state_dir
  const credential = () =>
    whileAway(
      env.api_wait_ms,
      () => api.cloneCredential(),
      (error) => error instanceof PlatformError && error.away,
    )
  const socket = await openCredentialSocket(join(folder, 'git.sock'), credential, log)
  const proxy = await openRetryingProxy(env)
  const authorized = async (): Promise<Git | null> => {
    const own = ownAuth({ ...env, token: env.inherited['SVC_CLI_TOKEN'] })
    const auth = own ?? (await api.cloneCredential()).auth
    if (auth === null) return null
    log.hide(auth.token)
    log.hide(basicOf(auth))
    return createGit(env.workspace, env.home, withAuth(env.repo_url, auth))
  }
  const repository = createRepository({
    authorized,
    begun: start.begun ?? Promise.resolve(null),
    is_awaited: start.is_awaited,
    calm: start.calm,
    // A session that has begun anything here before may have saved it.
    is_new: env.is_new && !existsSync(join(env.state_dir, 'state.json')),
    git: createGit(env.workspace, env.home),
    workspace: env.workspace,
    home: env.home,
    repo_url: env.repo_url,
    branch: env.branch,
    base_ref: env.base_ref,
    default_branch: env.default_branch,
    helper: helperCommand(socket.path),
    proxied: proxy === null ? null : { url: `${env.api_url}/git/`, proxy: proxy.url },
    agent_name: env.agent_name ?? 'agent',
    auto_clone: env.auto_clone,
    attempts: daemonLimits.cloneAttempts,
    restoration: restorationAt(join(env.state_dir, 'restore-owed'), restore),
    signal,
    log,
  })
  const close = (): void => {
    socket.close()
    proxy?.close()
  }
  return { ...repository, ports: proxy === null ? [] : [proxy.port], close }
}

function restorationAt(marker: string, restore: () => Promise<void>): Restoration {
  return {
    owe: () => writeFileAtomically(marker, ''),
    isOwed: () => existsSync(marker),
    run: async () => {
      await restore()
      rmSync(marker, { force: true })
    },
  }
}

/** `!` makes it a shell command; this very file answers to the word `credential`. */
function helperCommand(socketPath: string): string {
  const words = [process.execPath, process.argv[1] ?? 'svc-agent', 'credential', socketPath]
  return `!${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`
}
