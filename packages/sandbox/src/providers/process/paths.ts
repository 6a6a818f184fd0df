import { join } from 'node:path'
import { type RootPaths, rootPaths } from '../../shared/root-paths.ts'

/** A sandbox's folder: the first three belong to the sandbox, the rest to the platform. */
export interface SandboxPaths {
  readonly folder: string
  readonly workspace: string
  readonly home: string
  readonly run: string
  readonly etc: string
  readonly state: string
  readonly output: string
  readonly status: string
}

export function sandboxPaths(root: string, externalId: string): SandboxPaths {
  const folder = join(root, externalId)
  return {
    folder,
    workspace: join(folder, 'workspace'),
    home: join(folder, 'home'),
    run: join(folder, 'run'),
    etc: join(folder, 'etc'),
    state: join(folder, 'state.json'),
    output: join(folder, 'output.log'),
    status: join(folder, 'status'),
  }
}

/** The folders beside those of the sandboxes that this provider has more than others. */
export interface ProcessRootPaths extends RootPaths {
  readonly claims: string
  readonly trash: string
  /** The folder of the sockets at which the platform reaches daemons with a network of their own. */
  readonly sockets: string
  /** The folder in which those sandboxes find the way out. */
  readonly relays: string
}

export function processRootPaths(root: string): ProcessRootPaths {
  return {
    ...rootPaths(root),
    claims: join(root, '.claims'),
    trash: join(root, '.trash'),
    sockets: join(root, '.sockets'),
    relays: join(root, '.relays'),
  }
}

/** Short, because a unix socket's path may not be long. */
export function daemonSocket(root: string, externalId: string): string {
  return join(processRootPaths(root).sockets, externalId.replace('sbx_', '').slice(0, 16))
}
