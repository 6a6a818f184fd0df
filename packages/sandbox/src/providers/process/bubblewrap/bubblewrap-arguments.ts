import { mountedPlaces } from '../../../shared/environment.ts'
import { relayMount } from '../network/own-network.ts'

/** Host folders that hold programs: mounted where they are real folders, linked where they are links into /usr. */
export interface SystemLayout {
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly folders: readonly string[]
  /** Single files and folders of /etc that programs need and that say nothing about this machine's people. */
  readonly etc: readonly string[]
}

export interface BubblewrapMounts {
  readonly layout: SystemLayout
  readonly tools: string
  /** The store of harnesses. */
  readonly harnesses: string
  readonly workspace: string
  readonly home: string
  readonly run: string
  /** Generated files that take the place of the host's in /etc. */
  readonly etc: string
  readonly etc_files: readonly string[]
  /** The folder of the way out, for a sandbox with a network of its own. */
  readonly relay: string | null
}

export interface BubblewrapOptions {
  readonly mounts: BubblewrapMounts
  readonly environment: Readonly<Record<string, string>>
  /** True when this bubblewrap can forbid further user namespaces. */
  readonly forbid_user_namespaces: boolean
  /** Only a loopback interface, which nothing outside of the sandbox reaches. */
  readonly own_network: boolean
  /** The descriptor from which bubblewrap reads the filter of system calls; null without one. */
  readonly seccomp_fd: number | null
  readonly status_fd: number
  readonly gate_fd: number | null
}

const mebibyte = 1024 * 1024

/**
 * The recipe of a sandbox. It does not die with its parent: a platform that is killed leaves its sandboxes to the next
 * one, which ends them by the first process of their pid namespace.
 */
export function bubblewrapArguments(options: BubblewrapOptions): readonly string[] {
  const { mounts } = options
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(options.own_network ? ['--unshare-net'] : []),
    ...(options.forbid_user_namespaces ? ['--disable-userns'] : []),
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--cap-drop', 'ALL', '--new-session'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', mounts.tools, '/usr/local'],
    ...mounts.layout.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...mounts.layout.folders.flatMap((path) => ['--ro-bind', path, path]),
    ...mounts.layout.etc.flatMap((path) => ['--ro-bind-try', path, path]),
    ...mounts.etc_files.flatMap((name) => ['--ro-bind', `${mounts.etc}/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...inMemory('/dev/shm', 256),
    ...['--remount-ro', '/dev'],
    ...inMemory('/tmp', 1024),
    ...['--symlink', '/tmp', '/var/tmp'],
    ...['--bind', mounts.workspace, '/workspace', '--bind', mounts.home, '/opt/svc/home'],
    ...['--bind', mounts.run, '/run/svc'],
    ...['--ro-bind-try', mounts.harnesses, mountedPlaces.harnesses],
    ...(mounts.relay === null ? [] : ['--ro-bind', mounts.relay, relayMount]),
    ...['--remount-ro', '/', '--chdir', '/workspace', '--clearenv'],
    ...Object.entries(options.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(options.seccomp_fd === null ? [] : ['--seccomp', String(options.seccomp_fd)]),
    ...['--json-status-fd', String(options.status_fd)],
    ...(options.gate_fd === null ? [] : ['--block-fd', String(options.gate_fd)]),
  ]
}

/** Files that are held in memory, so their size is bounded. */
function inMemory(path: string, mebibytes: number): readonly string[] {
  return ['--perms', '1777', '--size', String(mebibytes * mebibyte), '--tmpfs', path]
}
