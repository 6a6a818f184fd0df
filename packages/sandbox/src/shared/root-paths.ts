import { join } from 'node:path'

/** A provider's own folders beside those of its sandboxes; no external id begins with a dot. */
export interface RootPaths {
  readonly root: string
  readonly locks: string
  readonly tools: string
}

export function rootPaths(root: string): RootPaths {
  return { root, locks: join(root, '.locks'), tools: join(root, '.tools') }
}
