import { posix } from 'node:path'
import { extract, type Header, pack, type Pack } from 'tar-stream'
import { listFiles, readFile, type Repository } from '@svc/git'
import { appLimits } from '../context.ts'
import { ReleaseError } from '../releases/release-error.ts'
import { isPrivate } from './is-private.ts'

const plainOwner = { uid: 0, gid: 0, mtime: new Date(0) }

/** A folder of a commit as a tar archive, without what stays private. */
export async function* treeArchive(
  repository: Repository,
  commit_sha: string,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const entries = (await listFiles(repository, { ref: commit_sha, path: folder, recursive: true })) ?? []
  const archive = pack()
  const feeding = feed(archive, async () => {
    for (const { path: at, type, mode } of entries) {
      signal.throwIfAborted()
      const name = folder === '' ? at : at.slice(folder.length + 1)
      if (type === 'submodule' || isPrivate(name)) continue
      if (type === 'directory') {
        await add(archive, { ...plainOwner, name: `${name}/`, type: 'directory', mode: 0o755 })
        continue
      }
      const file = await readFile(repository, {
        ref: commit_sha,
        path: at,
        max_bytes: appLimits.archiveBytes,
      })
      if (file === null) throw new Error(`${at} was listed and is not there`)
      if (type === 'symlink') {
        const linkname = file.content.toString()
        if (leadsOut(name, linkname)) continue
        await add(archive, { ...plainOwner, name, type: 'symlink', linkname, mode: 0o777 })
      } else {
        const bits = mode === '100755' ? 0o755 : 0o644
        await add(archive, { ...plainOwner, name, type: 'file', mode: bits }, file.content)
      }
    }
  })
  yield* bytesOf(archive)
  await feeding
}

/** True for a link that leaves the folder it is in. */
export function leadsOut(name: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const at = posix.normalize(posix.join(posix.dirname(name), target))
  return at === '..' || at.startsWith('../')
}

export interface ShippedFile {
  readonly header: Pick<Header, 'name' | 'type' | 'linkname' | 'mode' | 'size'>
  readonly content: AsyncIterable<Uint8Array>
}

/** The entries of an archive that a build gave, without what stays private; a link that leads out of it ends the release. */
export async function* shippedOf(archive: AsyncIterable<Uint8Array>): AsyncGenerator<ShippedFile> {
  const reader = extract()
  const feeding = (async () => {
    for await (const chunk of archive)
      if (!reader.write(chunk)) await new Promise<void>((resolve) => reader.once('drain', resolve))
    reader.end(null)
  })().catch((error: unknown) => reader.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const entry of reader) {
    const name = posix.normalize(entry.header.name).replace(/^(?:\.\/)+|\/$/g, '')
    const { type, linkname, mode, size } = entry.header
    if (name === '' || name === '.' || isPrivate(name)) {
      entry.resume()
      continue
    }
    if (
      name.startsWith('../') ||
      name.startsWith('/') ||
      (linkname && type === 'symlink' && leadsOut(name, linkname))
    )
      throw new ReleaseError(
        'build',
        `${name} leads out of the folder that is shipped; let the build copy it instead`,
      )
    yield { header: { name, type, linkname, mode, size }, content: bytesOf(entry) }
  }
  await feeding
}

/** The same entries as one archive. */
export async function* packed(files: AsyncIterable<ShippedFile>): AsyncGenerator<Uint8Array> {
  const archive = pack()
  const feeding = feed(archive, async () => {
    for await (const { header, content } of files) {
      const { name, type, size } = header
      if (type === 'directory') {
        await add(archive, { ...plainOwner, name: `${name}/`, type, mode: 0o755 })
      } else if (type === 'symlink' || type === 'link') {
        await add(archive, { ...plainOwner, name, type, linkname: header.linkname ?? '', mode: 0o777 })
      } else if (type === 'file' || type === 'contiguous-file') {
        const mode = ((header.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755
        const entry = archive.entry({ ...plainOwner, name, type: 'file', size: size ?? 0, mode })
        for await (const chunk of content)
          if (!entry.write(chunk)) await new Promise<void>((resolve) => entry.once('drain', resolve))
        await new Promise<void>((resolve, reject) => {
          entry.once('error', reject)
          entry.once('finish', resolve)
          entry.end(null)
        })
      }
    }
  })
  yield* bytesOf(archive)
  await feeding
}

async function feed(archive: Pack, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    archive.finalize()
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

function add(archive: Pack, header: Partial<Header> & Pick<Header, 'name'>, content?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    if (content === undefined) archive.entry(header, done)
    else archive.entry({ ...header, size: content.length }, content, done)
  })
}

/** The bytes of an archive, by the types of Node. */
async function* bytesOf(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('An archive is bytes')
    yield chunk
  }
}
