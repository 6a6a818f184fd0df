import { join } from 'node:path'
import { newSocketPath, requireShortPaths, socketUrl } from '../../network/unix-sockets.ts'
import type { SandboxEndpoint } from '../../provider.ts'
import { anyExternalId } from '../../shared/external-id.ts'

/** The provider's own folder in that of all sandboxes of a machine. */
export function dockerRoot(sandboxes: string): string {
  return join(sandboxes, 'docker')
}

/** A sandbox's folder on the host. Only `shared` is mounted into it, read-only. */
export interface DockerPaths {
  readonly folder: string
  readonly state: string
  /** The platform connects here to reach the daemon. */
  readonly inward: string
  readonly shared: string
  /** The sandbox connects here, for everything. */
  readonly relay: string
  /** Each process that has visitors opens a socket here, at which a sandbox of a program holds connections ready. */
  readonly fronts: string
}

export function dockerPaths(root: string, externalId: string): DockerPaths {
  const folder = join(root, externalId)
  const shared = join(folder, 'net')
  return {
    folder,
    state: join(folder, 'state.json'),
    inward: join(folder, 'in'),
    shared,
    relay: join(shared, 'relay'),
    fronts: join(shared, 'f'),
  }
}

/** Remembers there when images were last needed. */
export function imagesFolder(root: string): string {
  return join(root, '.images')
}

export function requireShortRoot(root: string): void {
  const { relay, fronts } = dockerPaths(root, anyExternalId)
  requireShortPaths(root, [relay, newSocketPath(fronts)])
}

export function dockerEndpoint(root: string, externalId: string): SandboxEndpoint {
  return { url: socketUrl(dockerPaths(root, externalId).inward) }
}
