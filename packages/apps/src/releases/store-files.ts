import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { looksHashed } from '@svc/app'
import { type AppArtifact, type AppReleaseFileRow } from '@svc/db'
import { readFile, type Repository } from '@svc/git'
import type { ObjectStore } from '@svc/objects'
import { lookup } from 'mrmime'
import type { ShippedFile } from '../build/archive.ts'
import { appLimits } from '../context.ts'
import { ReleaseError } from './release-error.ts'
import type { CollectedFile } from './collect-files.ts'

export type StoredFile = Omit<AppReleaseFileRow, 'release_id'>

export interface Stored {
  readonly artifact: AppArtifact
  readonly files: readonly StoredFile[]
}

const atOnce = 8

/** The store, in which no object goes away while it is claimed for a release. */
export interface ReleaseStore {
  readonly objects: ObjectStore
  claim(sha256: string): Promise<void>
}

/** Puts the bytes of files into the object store, packed as well where that is worth it. What is there already stays. */
export async function storeFiles(
  store: ReleaseStore,
  repository: Repository,
  commit_sha: string,
  collected: readonly CollectedFile[],
  signal: AbortSignal,
): Promise<Stored> {
  const files: StoredFile[] = []
  const waiting = collected.values()
  const worker = async () => {
    for (const { path, at } of waiting) {
      signal.throwIfAborted()
      const file = await readFile(repository, { ref: commit_sha, path: at, max_bytes: appLimits.bytes })
      if (file === null) throw new Error(`${at} was listed and is not there`)
      files.push(await storeFile(store, path, file.content))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return storedOf(files)
}

/** The same for the files that a build gave. */
export async function storeShipped(
  store: ReleaseStore,
  shipped: AsyncIterable<ShippedFile>,
  signal: AbortSignal,
): Promise<Stored> {
  const files: StoredFile[] = []
  let bytes = 0
  for await (const { header, content } of shipped) {
    signal.throwIfAborted()
    if (header.type === 'symlink' || header.type === 'link')
      throw new ReleaseError(
        'build',
        `${header.name} is a link, and files alone are shipped; let the build copy it`,
      )
    // As it is announced: what is beyond the bound is not read to find that out.
    bytes += header.size ?? 0
    if (bytes > appLimits.bytes || files.length >= appLimits.files)
      throw new ReleaseError(
        'build',
        `What the build made is beyond the ${appLimits.files} files and ${appLimits.bytes} bytes of a release; ship less`,
      )
    const body = await buffer(content)
    if (header.type !== 'file' && header.type !== 'contiguous-file') continue
    files.push(await storeFile(store, header.name, body))
  }
  if (files.length === 0)
    throw new ReleaseError(
      'build',
      'The folder that is shipped is empty after the build; correct `output_dir` or `build_command` in svc.yaml',
    )
  return storedOf(files)
}

function storedOf(files: StoredFile[]): Stored {
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const digest = createHash('sha256')
  for (const { path, sha256 } of files) digest.update(`${path}\0${sha256}\n`)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { artifact: { kind: 'files', digest: digest.digest('hex'), bytes, files: files.length }, files }
}

async function storeFile(store: ReleaseStore, path: string, content: Buffer): Promise<StoredFile> {
  const content_type = typeOf(path)
  const [br, gz] = isText(content_type) && content.length > 1024 ? await pack(content) : [null, null]
  const keep = async (bytes: Buffer | null) => (bytes === null ? null : put(store, bytes))
  const sha256 = await put(store, content)
  const [br_sha256, gzip_sha256] = [await keep(br), await keep(gz)]
  return {
    ...{ path, sha256, bytes: content.length, content_type },
    ...{ br_sha256, gzip_sha256, hashed: looksHashed(path) },
  }
}

const [asBrotli, asGzip] = [promisify(brotliCompress), promisify(gzip)]
const worth = 0.9

/** Null for a coding that saves less than a tenth. */
async function pack(content: Buffer): Promise<readonly [br: Buffer | null, gz: Buffer | null]> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > 4 * 1024 * 1024 ? 6 : 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [br, gz] = await Promise.all([asBrotli(content, { params }), asGzip(content, { level: 9 })])
  const kept = (bytes: Buffer) => (bytes.length <= content.length * worth ? bytes : null)
  return [kept(br), kept(gz)]
}

/** The key of an object of apps. */
export const objectOf = (sha256: string) => `apps/${sha256}`

async function put({ objects, claim }: ReleaseStore, bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await claim(sha256)
  if ((await objects.head(objectOf(sha256))) === null) await objects.put(objectOf(sha256), bytes)
  return sha256
}

function typeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream'
  return isText(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|javascript|ecmascript)\b|^application\/(?:wasm|manifest)|^image\/svg/.test(
    type,
  )
}
