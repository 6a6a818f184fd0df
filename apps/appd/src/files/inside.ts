import { posix } from 'node:path'

/** A path of an archive as its parts below the root; null for one that leads out, and for one that no file can have. */
export function partsInside(path: string): readonly string[] | null {
  if (path.startsWith('/') || path.includes('\0')) return null
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.includes('..') || parts.some((part) => Buffer.byteLength(part) > 255) ? null : parts
}

/** True for the target of a link at `parts` that stays below the root by its words alone. */
export function targetInside(parts: readonly string[], target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const folder = parts.slice(0, -1).join('/')
  return partsInside(posix.normalize(posix.join(folder, target))) !== null
}
