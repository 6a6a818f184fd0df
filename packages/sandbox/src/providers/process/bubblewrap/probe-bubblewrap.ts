import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { bubblewrapArguments, type BubblewrapMounts, type SystemLayout } from './bubblewrap-arguments.ts'
import { outsideEnvironment } from './commands.ts'
import { mountedPlaces, sandboxEnvironment } from '../../../shared/environment.ts'
import { sandboxPaths } from '../paths.ts'
import { makeSandboxFolders } from '../files/sandbox-folders.ts'
import { processorOf, seccompFilter } from '../seccomp/filter.ts'
import { readSystemLayout, writeEtcFiles } from './system-layout.ts'
import { harnessStore } from '../../../harness/store/places.ts'

const run = promisify(execFile)

export interface BubblewrapMeans {
  readonly layout: SystemLayout
  readonly forbid_user_namespaces: boolean
  readonly own_network: boolean
  /** The filter of system calls; null where the kernel takes none, or for a processor that none is made for. */
  readonly seccomp: Buffer | null
}

/** The best first; an old bubblewrap or a strict container may lack some. */
function triesWith(filter: Buffer | null): readonly Omit<BubblewrapMeans, 'layout'>[] {
  const filters = filter === null ? [null] : [filter, null]
  return [true, false].flatMap((own_network) =>
    filters.flatMap((seccomp) =>
      [true, false].map((forbid_user_namespaces) => ({ forbid_user_namespaces, own_network, seccomp })),
    ),
  )
}

export type BubblewrapProbe =
  | { readonly works: true; readonly means: BubblewrapMeans }
  | { readonly works: false; readonly reason: string }

/** Runs `true` in a sandbox made exactly as the real ones are: being installed does not mean that the kernel lets it. */
export async function probeBubblewrap(
  program: string,
  root: string,
  tools: string,
  uid: number | null,
): Promise<BubblewrapProbe> {
  if (process.platform !== 'linux') return { works: false, reason: 'bubblewrap exists on Linux only' }
  const layout = await readSystemLayout()
  const paths = sandboxPaths(root, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    await makeSandboxFolders(paths, uid)
    const etc_files = await writeEtcFiles(paths.etc, true)
    const mounts = { layout, tools, harnesses: harnessStore(root), ...paths, etc_files, relay: null }
    let reason = ''
    const processor = processorOf(process.arch)
    for (const abilities of triesWith(processor === null ? null : seccompFilter(processor))) {
      const refusal = await attempt(program, mounts, abilities, uid)
      if (refusal === null) return { works: true, means: { layout, ...abilities } }
      reason = refusal
    }
    return { works: false, reason }
  } finally {
    await rm(paths.folder, { recursive: true, force: true })
  }
}

/** Null when it worked, else the reason in bubblewrap's words. */
async function attempt(
  program: string,
  mounts: BubblewrapMounts,
  abilities: Omit<BubblewrapMeans, 'layout'>,
  uid: number | null,
): Promise<string | null> {
  const identifiers = {
    external_id: 'probe',
    address: '127.0.0.1',
    service_port: 0,
    runtime_port: 0,
    environment: {},
  }
  const args = bubblewrapArguments({
    mounts,
    environment: sandboxEnvironment(identifiers, mountedPlaces, ''),
    ...abilities,
    seccomp_fd: abilities.seccomp === null ? null : 0,
    status_fd: 1,
    gate_fd: null,
  })
  try {
    const options = {
      cwd: '/',
      env: outsideEnvironment,
      timeout: 20_000,
      ...(uid === null ? {} : { uid, gid: uid }),
    }
    const probe = run(
      program,
      [...args, '--', '/bin/sh', '-c', 'test -x /usr/local/bin/node && touch /workspace/probe'],
      options,
    )
    // The exit status tells of a probe that ends before it has read.
    probe.child.stdin?.on('error', () => undefined).end(abilities.seccomp ?? '')
    await probe
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'bubblewrap (bwrap) is not installed'
  const printed = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return printed === '' ? error.message : printed
}
