import { access, chmod, mkdir } from 'node:fs/promises'
import { release } from 'node:os'
import type { SandboxLimits } from '../../provider.ts'
import { SandboxError } from '../../sandbox-error.ts'
import { type Cgroups, findCgroups } from './limits/cgroups.ts'
import { defaultLimits } from '../../shared/default-limits.ts'
import type { ProviderLog } from '../../shared/provider-log.ts'
import { anyExternalId, loadKey } from '../../shared/external-id.ts'
import type { IdRange } from './processes/parse-proc.ts'
import { type Egress, platformOnly } from '../../network/egress.ts'
import { newSocketPath, requireShortPaths } from '../../network/unix-sockets.ts'
import { makeRelayFolder } from './network/relay-folder.ts'
import { daemonSocket, type ProcessRootPaths, processRootPaths } from './paths.ts'
import { type BubblewrapMeans, probeBubblewrap } from './bubblewrap/probe-bubblewrap.ts'
import { assembleTools, type ToolSources } from '../../shared/tools/tools.ts'
import { closedFolder, readUidRange } from './user-ids.ts'
import { harnessStore, makeHarnessStore } from '../../harness/store/places.ts'

export interface ProcessProviderOptions {
  /** The folder in which sandboxes live; every process with the same root and scope manages the same ones. */
  readonly root: string
  /** The deployment's id: providers of another scope see none of its sandboxes. */
  readonly scope: string
  readonly tools: ToolSources
  /** auto takes bubblewrap where it works; bubblewrap refuses to start where it does not. */
  readonly isolation: 'auto' | 'bubblewrap' | 'none'
  /** Given to sandboxes whose environment names no API of its own. */
  readonly api_url: string
  readonly log: ProviderLog
  /** The bubblewrap program; looked for on the usual path when not given. */
  readonly bubblewrap_program?: string
  /** The reach of sandboxes with a network of their own; the platform alone when not given. */
  readonly egress?: Egress
  /** Defaults for limits that a sandbox's own leave open. */
  readonly default_limits?: SandboxLimits
  /** Interval of the looks at the disk of running sandboxes. */
  readonly look_every_ms?: number
  /** Time that a stop lets the daemon end by itself. */
  readonly grace_ms?: number
  /** Started by root, each sandbox runs as a user id of its own out of this range. */
  readonly uids?: IdRange
}

export type Isolation =
  | ({ readonly kind: 'bubblewrap'; readonly program: string } & BubblewrapMeans)
  | { readonly kind: 'none'; readonly reason: string }

/** The provider's own view of this machine, found out once when it opens. */
export interface Host {
  readonly paths: ProcessRootPaths
  readonly scope: string
  readonly key: Buffer
  readonly tools: string
  readonly isolation: Isolation
  readonly uids: IdRange | null
  readonly cgroups: Cgroups
  /** True when a limit of processes holds for one sandbox alone: it has its own user, or its namespace is counted. */
  readonly counts_processes: boolean
  /** The program that sets limits for what it starts, where there is one. */
  readonly prlimit: string | null
  readonly api_url: string
  readonly egress: Egress
  /** The folder in which sandboxes find the way out; null where they share the machine's network. */
  readonly relay_folder: string | null
  readonly default_limits: SandboxLimits
  readonly look_every_ms: number
  readonly log: ProviderLog
  readonly grace_ms: number
}

export async function openHost(options: ProcessProviderOptions): Promise<Host> {
  const paths = processRootPaths(options.root)
  const uids = await readUidRange(options.uids)
  await makeFolders(paths, uids !== null)
  const tools = await assembleTools(paths.tools, options.tools)
  const isolation = await chooseIsolation(options, tools, uids)
  const key = await loadKey(paths.root)
  const ownNetwork = isolation.kind === 'bubblewrap' && isolation.own_network
  if (ownNetwork) requireShortPaths(paths.root, socketPaths(paths))
  return {
    paths,
    scope: options.scope,
    key,
    tools,
    isolation,
    uids,
    counts_processes: uids !== null || (isolation.kind === 'bubblewrap' && countsByNamespace(release())),
    cgroups: await findCgroups(),
    prlimit: await findPrlimit(),
    api_url: options.api_url,
    egress: options.egress ?? platformOnly,
    relay_folder: ownNetwork ? await makeRelayFolder(paths.relays, key, options.scope) : null,
    default_limits: options.default_limits ?? defaultLimits(),
    look_every_ms: options.look_every_ms ?? 2_000,
    log: options.log,
    grace_ms: options.grace_ms ?? 2_000,
  }
}

/** Daemons and relays are reached over these. */
function socketPaths({ root, relays }: ProcessRootPaths): readonly string[] {
  return [`${daemonSocket(root, anyExternalId)}+`, newSocketPath(`${relays}/${'0'.repeat(16)}`)]
}

/** Since Linux 5.14 processes are counted for each user namespace. */
export function countsByNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 14)
}

async function findPrlimit(): Promise<string | null> {
  const path = '/usr/bin/prlimit'
  return access(path).then(
    () => path,
    () => null,
  )
}

/** Sandboxes with users of their own pass through the root on the way to their folder, and can list nothing there. */
async function makeFolders(paths: ProcessRootPaths, shared: boolean): Promise<void> {
  await mkdir(paths.root, { recursive: true })
  await chmod(paths.root, shared ? 0o711 : 0o700)
  for (const folder of [paths.locks, paths.claims, paths.trash, paths.sockets])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(paths.tools, { recursive: true })
  await chmod(paths.tools, 0o755)
  await makeHarnessStore(harnessStore(paths.root))
  const closed = shared ? await closedFolder(paths.root) : null
  if (closed === null) return
  throw new SandboxError(
    'internal',
    `Sandboxes run as users of their own, who cannot pass through ${closed}: choose a data folder elsewhere, or open it with chmod o+x.`,
  )
}

async function chooseIsolation(
  options: ProcessProviderOptions,
  tools: string,
  uids: IdRange | null,
): Promise<Isolation> {
  if (options.isolation === 'none') return { kind: 'none', reason: 'it was asked for' }
  const program = options.bubblewrap_program ?? 'bwrap'
  const probe = await probeBubblewrap(program, options.root, tools, uids?.first ?? null)
  if (probe.works) return { kind: 'bubblewrap', program, ...probe.means }
  if (options.isolation === 'bubblewrap') {
    throw new SandboxError(
      'internal',
      `Sandboxes were to be isolated with bubblewrap, which does not work here: ${probe.reason}`,
    )
  }
  options.log('warn', 'sandboxes run without isolation', { reason: probe.reason })
  return { kind: 'none', reason: probe.reason }
}
