import { join, resolve } from 'node:path'
import { apiWait, apiWaitMs } from '@svc/facts'
import type { RelaySettings } from './network/relay.ts'

/** A variable that is set to nothing counts as not set. */
const given =
  (source: NodeJS.ProcessEnv) =>
  (name: string): string | undefined =>
    source[name] === '' ? undefined : source[name]

/** Paths of a sandbox, and the owner that marks its processes. Read before anything that takes time to load. */
export function placesOf(source: NodeJS.ProcessEnv) {
  const of = given(source)
  const home = resolve(of('HOME') ?? '/opt/svc/home')
  return {
    workspace: resolve(of('SVC_WORKSPACE') ?? '/workspace'),
    home,
    state_dir: join(home, '.svc'),
    /** Tells this sandbox's processes from those of any other on the machine; null before it has a session. */
    owner: of('SVC_SANDBOX_ID') ?? of('SVC_SESSION_ID') ?? null,
    runtime: { host: of('SVC_SANDBOX_ADDRESS') ?? '127.0.0.1', port: Number(of('SVC_RUNTIME_PORT') ?? 4096) },
    relay: relayOf(source),
  }
}

/** The address at which the daemon answers. */
export function listenOf(source: NodeJS.ProcessEnv) {
  const of = given(source)
  const fd = of('SVC_LISTEN_FD')
  return {
    host: of('SVC_SANDBOX_ADDRESS') ?? '0.0.0.0',
    port: Number(of('SVC_SERVICE_PORT') ?? 8000),
    /** A socket of the platform's that this process was born with. */
    fd: fd === undefined ? undefined : Number(fd),
  }
}

/** Null in a sandbox that shares the network of something else. */
function relayOf(source: NodeJS.ProcessEnv): RelaySettings | null {
  const of = given(source)
  const [folder, proxy, sandbox_id] = [of('SVC_RELAY_DIR'), of('SVC_RELAY_PROXY'), of('SVC_SANDBOX_ID')]
  if (folder === undefined || proxy === undefined || sandbox_id === undefined) return null
  const targets = (of('SVC_RELAY_TARGETS') ?? '').split(' ').filter((target) => target !== '')
  // A value that is none is refused where the rest of the environment is read.
  const wait_ms = apiWaitMs(source[apiWait.variable], true) ?? 0
  return { folder, proxy, sandbox_id, targets, wait_ms }
}

/** The repository and branches to clone. */
export function originOf(source: NodeJS.ProcessEnv) {
  const of = given(source)
  const default_branch = of('SVC_DEFAULT_BRANCH') ?? 'main'
  return {
    repo_url: of('SVC_REPO_URL') ?? '',
    api_url: (of('SVC_API_URL') ?? '').replace(/\/+$/, ''),
    branch: of('SVC_BRANCH_NAME') ?? of('SVC_SESSION_ID') ?? '',
    base_ref: of('SVC_BASE_REF') ?? default_branch,
    default_branch,
    auto_clone: of('SVC_PROJECT_AUTO_CLONE') === '1',
    /** No sandbox of this session ever ran: nothing was saved of its work. */
    is_new: of('SVC_SESSION_IS_NEW') === '1',
    /** The platform sends what the first fetch would bring. */
    is_sent: of('SVC_REPOSITORY_SENT') === '1',
  }
}
