import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { errorCode } from '@svc/files'
import { InstallError, toInstallError } from '../install-error.ts'
import { lockFiles } from '../lock.ts'
import { inScratch } from '../store/scratch.ts'
import { bytesOf, parseSeal, type Seal } from '../store/seal.ts'
import { type Installed, settle } from '../store/settle.ts'
import { sealName } from '../store/tree.ts'
import { type Expected, expectedOf } from './expected.ts'

export interface ImportOptions {
  /** The kind of this machine. */
  readonly target: string
  /** The folder of the lock file of a version that this platform knows; null for any other. */
  readonly lockFolder: (name: string, version: string) => string | null
  /** The digest that the other machine named, where the archive came by a way that others can write to. */
  readonly digest?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Imported extends Installed {
  readonly name: string
  readonly version: string
}

/** The types of tar-stream do not export it. */
type Entry = ReturnType<typeof extract> extends AsyncIterable<infer One> ? One : never

const maxSealBytes = 32 << 20
/** Several times as large as any harness is. */
const maxBytes = 4 * 2 ** 30
const maxFiles = 200_000

/** Takes an archive of `exportInstalled` in. It is refused unless its lock file is ours and its files have its digest. */
export async function importInstalled(
  store: string,
  readable: Readable,
  options: ImportOptions,
): Promise<Imported> {
  const { signal } = options
  signal?.throwIfAborted()
  try {
    return await inScratch(store, 'import', async (scratch) => {
      const seal = await unpack(readable, join(scratch, 'tree'), options)
      const installed = await settle(scratch, store, seal, { digest: seal.digest, signal })
      return { ...installed, name: seal.name, version: seal.version }
    })
  } catch (error) {
    signal?.throwIfAborted()
    const cannotBeRead = /^Z_|^ERR_STREAM_PREMATURE/.test(String(errorCode(error)))
    throw cannotBeRead ? refused('it is damaged, or is not whole', error) : toInstallError(error)
  } finally {
    readable.destroy()
  }
}

async function unpack(readable: Readable, tree: string, options: ImportOptions): Promise<Seal> {
  const archive = extract()
  let seal: Seal | null = null
  let expected: Expected | null = null
  // The loop below sees its failure as that of an entry, and has to listen before the first entry comes.
  void pipeline(readable, createGunzip(), archive, { signal: options.signal }).catch(() => undefined)
  for await (const entry of archive) {
    if (seal === null || expected === null) {
      seal = await readFirst(entry)
      await check(seal, options)
      expected = expectedOf(seal.lines)
    } else await take(entry, tree, expected)
  }
  if (seal === null || expected === null) throw refused('it is empty')
  for (const path of expected.files.keys()) throw refused(`${path} is missing`)
  // Links come last, so that no file is ever written through one.
  for (const { path, target } of expected.links) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await symlink(target, join(tree, path))
  }
  return seal
}

async function readFirst(entry: Entry): Promise<Seal> {
  const { name, size = 0 } = entry.header
  if (name !== sealName || size > maxSealBytes) throw refused(`it does not begin with its ${sealName}`)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  try {
    return parseSeal(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw refused(`its ${sealName} is damaged`, cause)
  }
}

async function check(seal: Seal, { target, lockFolder, digest }: ImportOptions): Promise<void> {
  const { name, version } = seal
  if (seal.target !== target) throw refused(`it is for ${seal.target}, and this machine is ${target}`)
  if (digest !== undefined && seal.digest !== digest)
    throw refused(`its digest is ${seal.digest}, not ${digest}`)
  if (bytesOf(seal.lines) > maxBytes || seal.lines.length > maxFiles)
    throw refused(`it holds more than ${maxBytes / 2 ** 30} GiB or ${maxFiles} files`)
  const folder = lockFolder(name, version)
  if (folder === null) throw refused(`this platform has no lock file of ${name} ${version}`)
  for (const file of lockFiles) {
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')
    if (!seal.lines.some((line) => line.startsWith(`${file} 0444 `) && line.endsWith(` ${sha256}`)))
      throw refused(`its ${file} is not the one that this platform has of ${name} ${version}`)
  }
}

async function take(entry: Entry, tree: string, { files, links }: Expected): Promise<void> {
  const { name, type, size } = entry.header
  const file = files.get(name)
  if (type === 'symlink' && links.some((link) => link.path === name && link.target === entry.header.linkname))
    return void entry.resume()
  if (type !== 'file' || file === undefined || file.size !== size)
    throw refused(`${name} is not in its ${sealName}`)
  files.delete(name)
  const path = join(tree, name)
  await mkdir(dirname(path), { recursive: true })
  await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: file.mode | 0o200 }))
}

function refused(reason: string, cause?: unknown): InstallError {
  return new InstallError('other', `The archive is refused: ${reason}.`, { cause })
}
