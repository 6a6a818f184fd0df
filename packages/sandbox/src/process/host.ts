import { access, chmod, mkdir } from 'node:fs/promises'
import { SandboxError } from '../sandbox-error.ts'
import { type Cgroups, findCgroups } from './cgroups.ts'
import { loadKey } from './external-id.ts'
import type { IdRange } from './parse-proc.ts'
import { type RootPaths, rootPaths } from './paths.ts'
import { type BubblewrapMeans, probeBubblewrap } from './probe-bubblewrap.ts'
import { assembleTools, type ToolSources } from './tools.ts'
import { closedFolder, readUidRange } from './user-ids.ts'

export type ProviderLog = (
  level: 'info' | 'warn',
  message: string,
  details?: Readonly<Record<string, unknown>>,
) => void

export interface ProcessProviderOptions {
  /** Where sandboxes live; every process with the same root and scope manages the same ones. */
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
  /** How long a stop lets the daemon end by itself. */
  readonly grace_ms?: number
  /** Started by root, each sandbox runs as a user id of its own out of this range. */
  readonly uids?: IdRange
}

export type Isolation =
  | ({ readonly kind: 'bubblewrap'; readonly program: string } & BubblewrapMeans)
  | { readonly kind: 'none'; readonly reason: string }

/** The provider's own view of this machine, found out once when it opens. */
export interface Host {
  readonly paths: RootPaths
  readonly scope: string
  readonly key: Buffer
  readonly tools: string
  readonly isolation: Isolation
  readonly uids: IdRange | null
  readonly cgroups: Cgroups
  /** The program that sets limits for what it starts, where there is one. */
  readonly prlimit: string | null
  readonly api_url: string
  readonly log: ProviderLog
  readonly grace_ms: number
}

export async function openHost(options: ProcessProviderOptions): Promise<Host> {
  const paths = rootPaths(options.root)
  const uids = await readUidRange(options.uids)
  await makeFolders(paths, uids !== null)
  const tools = await assembleTools(paths.tools, options.tools)
  return {
    paths,
    scope: options.scope,
    key: await loadKey(paths.root),
    tools,
    isolation: await chooseIsolation(options, tools, uids),
    uids,
    cgroups: await findCgroups(),
    prlimit: await findPrlimit(),
    api_url: options.api_url,
    log: options.log,
    grace_ms: options.grace_ms ?? 2_000,
  }
}

async function findPrlimit(): Promise<string | null> {
  const path = '/usr/bin/prlimit'
  return access(path).then(
    () => path,
    () => null,
  )
}

/** Sandboxes with users of their own pass through the root on the way to their folder, and can list nothing there. */
async function makeFolders(paths: RootPaths, shared: boolean): Promise<void> {
  await mkdir(paths.root, { recursive: true })
  await chmod(paths.root, shared ? 0o711 : 0o700)
  for (const folder of [paths.locks, paths.claims, paths.trash])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(paths.tools, { recursive: true })
  await chmod(paths.tools, 0o755)
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
