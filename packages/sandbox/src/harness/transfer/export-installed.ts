import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { parseLine, parseLinkLine, parseSeal } from '../store/seal.ts'
import { sealName } from '../store/tree.ts'

/** Writes an install as a gzipped archive, its seal first, so that a reader knows what will come. */
export async function exportInstalled(folder: string, writable: Writable): Promise<void> {
  const seal = await readFile(join(folder, sealName), 'utf8')
  const { lines } = parseSeal(seal)
  const archive = pack()
  const written = pipeline(archive, createGzip(), writable)
  const filled = fill(archive, folder, seal, lines).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  })
  // A writable that breaks ends the archive, and so the filling.
  const [writing, filling] = await Promise.allSettled([written, filled])
  if (filling.status === 'rejected' && writing.status === 'fulfilled') throw filling.reason
  if (writing.status === 'rejected') throw writing.reason
}

/** A moment that is the same in each archive of an install. */
const mtime = new Date(0)

async function fill(archive: Pack, folder: string, seal: string, lines: readonly string[]): Promise<void> {
  archive.entry({ name: sealName, mode: 0o444, mtime }, seal)
  for (const line of lines) {
    const file = parseLine(line)
    const link = parseLinkLine(line)
    if (link !== null)
      archive.entry({ name: link.path, type: 'symlink', linkname: link.target, mode: 0o777, mtime })
    if (file === null) continue
    const { path: name, mode, size } = file
    const entry = archive.entry({ name, mode, size, mtime })
    await pipeline(createReadStream(join(folder, name)), entry)
  }
  archive.finalize()
}
