import { createWriteStream } from 'node:fs'
import { link, lstat, mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { Refusal } from '../refusal.ts'
import { partsInside, targetInside } from './inside.ts'

/** The types of tar-stream do not export it. */
type Entry = ReturnType<typeof extract> extends AsyncIterable<infer One> ? One : never

export interface PutLimits {
  readonly bytes: number
  readonly entries: number
}

export const putLimits: PutLimits = { bytes: 4 * 2 ** 30, entries: 500_000 }

interface Unpacking {
  readonly root: string
  readonly limits: PutLimits
  bytes: number
  entries: number
  /** Folders that are known to be none but folders, so that nothing is written through a link. */
  readonly folders: Set<string>
  /** Made last, so that nothing is written through one of them. */
  readonly links: { readonly parts: readonly string[]; readonly target: string; readonly hard: boolean }[]
}

/** Unpacks an archive below `root`. Of one that is refused, nothing that leads out of the root was made. */
export async function putFiles(root: string, archive: Readable, limits = putLimits): Promise<void> {
  const entries = extract()
  // The loop below sees its failure as that of an entry, and has to listen before the first entry comes.
  const read = pipeline(archive, entries).catch(() => undefined)
  const unpacking: Unpacking = { root, limits, bytes: 0, entries: 0, folders: new Set(), links: [] }
  try {
    for await (const entry of entries) await take(unpacking, entry)
    await makeLinks(unpacking)
  } catch (error) {
    throw toRefusal(error)
  } finally {
    entries.destroy()
    await read
  }
}

async function take(unpacking: Unpacking, entry: Entry): Promise<void> {
  const { name, type, size = 0, mode = 0o644, linkname } = entry.header
  const parts = partsInside(name)
  if (parts === null) throw new Refusal(400, `The archive is refused: ${name} leads out of it.`)
  unpacking.entries += 1
  unpacking.bytes += type === 'file' ? size : 0
  const { limits } = unpacking
  if (unpacking.entries > limits.entries)
    throw new Refusal(413, `The archive is refused: it has more than ${limits.entries} entries.`)
  if (unpacking.bytes > limits.bytes)
    throw new Refusal(413, `The archive is refused: its files are larger than ${limits.bytes} bytes.`)
  switch (type) {
    case 'directory':
      entry.resume()
      return makeFolder(unpacking, parts)
    case 'file':
    case 'contiguous-file': {
      if (parts.length === 0) throw new Refusal(400, 'The archive is refused: a file in it has no name.')
      await makeFolder(unpacking, parts.slice(0, -1))
      const path = join(unpacking.root, ...parts)
      await clear(unpacking, parts)
      return pipeline(entry, createWriteStream(path, { flags: 'wx', mode: (mode & 0o755) | 0o600 }))
    }
    case 'symlink':
    case 'link': {
      entry.resume()
      const hard = type === 'link'
      const target = linkname ?? ''
      if (hard ? partsInside(target) === null : !targetInside(parts, target))
        throw new Refusal(400, `The archive is refused: the link ${name} leads out of it, to ${target}.`)
      unpacking.links.push({ parts, target, hard })
      return
    }
    default:
      throw new Refusal(400, `The archive is refused: ${name} is neither a file, a folder nor a link.`)
  }
}

async function makeFolder({ root, folders }: Unpacking, parts: readonly string[]): Promise<void> {
  for (let length = 1; length <= parts.length; length += 1) {
    const path = join(root, ...parts.slice(0, length))
    if (folders.has(path)) continue
    await mkdir(path).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error
    })
    folders.add(path)
  }
}

/** Another put may have been here before. */
async function clear({ root }: Unpacking, parts: readonly string[]): Promise<void> {
  const path = join(root, ...parts)
  if (await isFolder(path))
    throw new Refusal(400, `The archive is refused: ${parts.join('/')} is a folder already.`)
  await rm(path, { force: true })
}

async function makeLinks(unpacking: Unpacking): Promise<void> {
  const { root, links } = unpacking
  const top = await realpath(root)
  // Hard links are of files alone, as long as there is nothing else to be linked to.
  for (const { parts, target, hard } of links.toSorted((a, b) => Number(b.hard) - Number(a.hard))) {
    await makeFolder(unpacking, parts.slice(0, -1))
    await clear(unpacking, parts)
    const path = join(root, ...parts)
    if (hard) await link(await plainFile(root, target), path)
    else await symlink(target, path)
  }
  for (const { parts, hard } of links) {
    if (hard) continue
    const path = join(root, ...parts)
    const found = await realpath(path).catch(() => null)
    if (found === null || found === top || found.startsWith(`${top}${sep}`)) continue
    // By way of another link, which its words alone do not show.
    for (const one of links) if (!one.hard) await rm(join(root, ...one.parts), { force: true })
    throw new Refusal(400, `The archive is refused: the link ${parts.join('/')} leads out of it.`)
  }
}

async function plainFile(root: string, target: string): Promise<string> {
  const parts = partsInside(target) ?? []
  for (let length = 1; length <= parts.length; length += 1) {
    const found = await lstat(join(root, ...parts.slice(0, length))).catch(() => null)
    const wanted = length === parts.length ? found?.isFile() : found?.isDirectory()
    if (wanted !== true)
      throw new Refusal(400, `The archive is refused: it links to ${target}, which is no file of it.`)
  }
  return join(root, ...parts)
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function toRefusal(error: unknown): Error {
  if (error instanceof Refusal) return error
  const text = error instanceof Error ? error.message : String(error)
  const isFull =
    error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return isFull
    ? new Refusal(413, 'The files do not fit on the disk of this sandbox.')
    : new Refusal(400, `The archive cannot be unpacked: ${text}`)
}
