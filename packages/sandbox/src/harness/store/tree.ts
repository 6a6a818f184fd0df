import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

/** The file of an install that says what the install is; the digest does not cover it. */
export const sealName = '.svc-digest'

/** npm's note to itself about the install. Versions of npm write it differently, and nothing else reads it. */
const npmNote = 'node_modules/.package-lock.json'

export interface TreeFile {
  readonly kind: 'file'
  readonly path: string
  readonly size: number
  readonly executable: boolean
}

export interface TreeLink {
  readonly kind: 'link'
  readonly path: string
  readonly target: string
}

export interface Tree {
  readonly files: readonly TreeFile[]
  readonly links: readonly TreeLink[]
  /** Deepest last. */
  readonly folders: readonly string[]
}

/** Lists an install. Anything but files, folders and links that stay inside is refused. */
export async function readTree(root: string): Promise<Tree> {
  const files: TreeFile[] = []
  const links: TreeLink[] = []
  const folders = ['']
  for (const folder of folders) {
    for (const name of await readdir(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (path === sealName || path === npmNote) continue
      if (/[\r\n]/.test(name)) throw new Error(`A name in ${folder} has a line break.`)
      const found = await lstat(join(root, path))
      if (found.isDirectory()) folders.push(path)
      else if (found.isSymbolicLink()) links.push(linkAt(path, await readlink(join(root, path))))
      else if (found.isFile())
        files.push({ kind: 'file', path, size: found.size, executable: (found.mode & 0o100) !== 0 })
      else throw new Error(`${path} is neither a file nor a folder.`)
    }
  }
  return { files, links, folders }
}

/** A link of an install, which leads to a place in it. */
export function linkAt(path: string, target: string): TreeLink {
  const end = normalize(join(dirname(path), target))
  if (target.startsWith('/') || end === '..' || end.startsWith('../') || /[\r\n]/.test(target))
    throw new Error(`The link ${path} leads out of the install.`)
  return { kind: 'link', path, target }
}

/** Enough for a disk to be busy, in an install of many small files. */
const atOnce = 16

/** One line of the digest for each file and link, sorted. `seal` makes each file read-only and has it on the disk. */
export async function linesOf(root: string, tree: Tree, options: { seal?: boolean } = {}): Promise<string[]> {
  const lines = tree.links.map(({ path, target }) => `${path} -> ${target}`)
  for (let start = 0; start < tree.files.length; start += atOnce) {
    const batch = tree.files.slice(start, start + atOnce)
    lines.push(...(await Promise.all(batch.map((file) => lineOf(root, file, options.seal === true)))))
  }
  return lines.toSorted()
}

async function lineOf(root: string, file: TreeFile, seal: boolean): Promise<string> {
  const path = join(root, file.path)
  const mode = file.executable ? '0555' : '0444'
  const handle = await open(path, 'r')
  try {
    if (seal) await handle.chmod(Number.parseInt(mode, 8))
    const { sha256, size } = await hashFile(handle, path, file.size)
    if (seal) await handle.sync()
    return `${file.path} ${mode} ${size} ${sha256}`
  } finally {
    await handle.close()
  }
}

export const digestOf = (lines: readonly string[]): string =>
  createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')

const maxWhole = 1 << 20

async function hashFile(
  handle: FileHandle,
  path: string,
  expected: number,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  // A stream for each of many small files would cost more than their content.
  const chunks =
    expected <= maxWhole
      ? [await handle.readFile()]
      : createReadStream(path, { fd: handle, autoClose: false, highWaterMark: maxWhole })
  for await (const chunk of chunks as AsyncIterable<Buffer> | Buffer[]) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sha256: hash.digest('hex'), size }
}
