import { join } from 'node:path'

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

/** The provider's own folders beside the sandboxes'; no external id begins with a dot. */
export interface RootPaths {
  readonly root: string
  readonly locks: string
  readonly claims: string
  readonly trash: string
  readonly tools: string
  /** When images were last needed, for the provider that has images. */
  readonly images: string
  /** Where the platform reaches daemons that have a network of their own. */
  readonly sockets: string
  /** Where those sandboxes find the way out. */
  readonly relays: string
}

export function rootPaths(root: string): RootPaths {
  return {
    root,
    locks: join(root, '.locks'),
    claims: join(root, '.claims'),
    trash: join(root, '.trash'),
    tools: join(root, '.tools'),
    images: join(root, '.images'),
    sockets: join(root, '.sockets'),
    relays: join(root, '.relays'),
  }
}

/** Short, because a unix socket's path may not be long. */
export function daemonSocket(root: string, externalId: string): string {
  return join(rootPaths(root).sockets, externalId.replace('sbx_', '').slice(0, 16))
}
