import { join } from 'node:path'
import { SandboxError } from '../../sandbox-error.ts'

/** A sandbox's folder on the host. Only `shared` is mounted into it, read-only. */
export interface DockerPaths {
  readonly folder: string
  readonly state: string
  /** The platform connects here to reach the daemon. */
  readonly inward: string
  readonly shared: string
  /** The sandbox connects here, for everything. */
  readonly relay: string
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
  }
}

/** Remembers there when images were last needed. */
export function imagesFolder(root: string): string {
  return join(root, '.images')
}

/** The kernel cuts longer names of sockets off. */
const maxSocketPath = 107
const anyId = `sbx_${'0'.repeat(32)}`

export function requireShortRoot(root: string): void {
  const tooLong = dockerPaths(root, anyId).relay.length - maxSocketPath
  if (tooLong <= 0) return
  throw new SandboxError(
    'internal',
    `The folder of sandboxes, ${root}, is ${tooLong} characters too long for sockets below it: choose a shorter path.`,
  )
}
