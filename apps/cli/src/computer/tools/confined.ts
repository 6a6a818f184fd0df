import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { InvalidArguments } from '../local-tool.ts'

/** The real place of `path` below `root`, itself a real path. Throws `InvalidArguments` for one outside, also by a link. */
export async function confined(root: string, path: string): Promise<string> {
  const wanted = resolve(root, path)
  requireWithin(root, wanted, path)
  const real = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new InvalidArguments(`There is no ${path}`)
    throw error
  })
  requireWithin(root, real, path)
  return real
}

/** The place for a file that need not be there yet: its folder is real, and a link in its own place is followed or refused. */
export async function confinedTarget(root: string, path: string): Promise<string> {
  const wanted = resolve(root, path)
  requireWithin(root, wanted, path)
  if (wanted === root) throw new InvalidArguments(`${path} is a folder`)
  const folder = await confined(root, relative(root, dirname(wanted)) || '.')
  const place = join(folder, basename(wanted))
  const real = await realpath(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (real === null) return place
  requireWithin(root, real, path)
  return real
}

/** Opens what `confined` found, and no link that came in its place meanwhile. */
export function openReal(place: string): Promise<FileHandle> {
  return open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
}

/** The path below the root, as callers write it. */
export function pathBelow(root: string, place: string): string {
  return relative(root, place).split(sep).join('/') || '.'
}

function requireWithin(root: string, place: string, path: string): void {
  const below = relative(root, place)
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new InvalidArguments(`${path} is outside of the folder that this computer serves`)
}
