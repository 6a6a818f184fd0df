import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { Refusal } from '../refusal.ts'
import { partsInside } from './inside.ts'

export interface Taken {
  readonly archive: Readable
  /** Resolves once all was read, with the paths of what was left out. */
  readonly leftOut: Promise<readonly string[]>
}

/** A folder below `root` as an archive. What is neither file nor folder, and links that lead out of it, are left out. */
export async function takeFiles(root: string, folder: string): Promise<Taken> {
  const top = await realFolder(root, folder)
  const archive = pack()
  const leftOut: string[] = []
  const work = fill(archive, top, leftOut).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return { archive: Readable.from(archive), leftOut: work.then(() => leftOut) }
}

/** The real path of a folder that is below the root by any way that leads to it. */
export async function realFolder(root: string, folder: string): Promise<string> {
  const parts = partsInside(folder)
  if (parts === null) throw new Refusal(400, `The folder ${folder} leads out of the files.`)
  const top = await realpath(root)
  const found = await realpath(join(top, ...parts)).catch(() => null)
  if (found === null || !(await lstat(found)).isDirectory()) throw await missing(top, parts)
  if (found !== top && !found.startsWith(`${top}${sep}`))
    throw new Refusal(400, `The folder ${folder} leads out of the files by a link.`)
  return found
}

const namesShown = 20

/** Says what there is in the last folder on the way. */
async function missing(top: string, parts: readonly string[]): Promise<Refusal> {
  for (let length = parts.length - 1; length >= 0; length -= 1) {
    const names = await readdir(join(top, ...parts.slice(0, length))).catch(() => null)
    if (names === null) continue
    const there = names.length === 0 ? 'nothing' : names.toSorted().slice(0, namesShown).join(', ')
    const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
    const place = length === 0 ? 'the root' : parts.slice(0, length).join('/')
    return new Refusal(404, `There is no folder ${parts.join('/')}; in ${place} there is ${there}${more}.`)
  }
  return new Refusal(404, `There is no folder ${parts.join('/')}.`)
}

async function fill(archive: Pack, top: string, leftOut: string[]): Promise<void> {
  const left = ['']
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const entries = await readdir(join(top, folder), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        archive.entry({ name: `${path}/`, type: 'directory', mode: 0o755 })
        left.push(path)
      } else if (entry.isSymbolicLink()) {
        const target = await innerTarget(top, path)
        if (target === null) leftOut.push(path)
        else archive.entry({ name: path, type: 'symlink', linkname: target })
      } else if (entry.isFile()) await addFile(archive, top, path)
      else leftOut.push(path)
    }
  }
}

/** The target of a link that stays in the folder; null for one that leads out, is absolute, or leads nowhere. */
async function innerTarget(top: string, path: string): Promise<string | null> {
  const target = await readlink(join(top, path))
  if (target.startsWith('/')) return null
  const found = await realpath(join(top, path)).catch(() => null)
  if (found === null || (found !== top && !found.startsWith(`${top}${sep}`))) return null
  // By its words as well: it may go out and come back in by the name of a folder that is not there elsewhere.
  return relative(top, join(top, path, '..', target)).startsWith('..') ? null : target
}

async function addFile(archive: Pack, top: string, path: string): Promise<void> {
  // It may have become a link since it was seen.
  const file = await open(join(top, path), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    await copy(archive, path, file)
  } finally {
    await file.close()
  }
}

async function copy(archive: Pack, path: string, file: FileHandle): Promise<void> {
  const { size, mode } = await file.stat()
  const header = { name: path, size, mode: (mode & 0o755) | 0o600 }
  if (size === 0) return void archive.entry(header, '')
  const entry = archive.entry(header)
  await pipeline(file.createReadStream({ start: 0, end: size - 1, autoClose: false }), entry)
}
