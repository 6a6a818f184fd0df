import { createHash } from 'node:crypto'
import type { AppArtifact } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { appLimits } from '../context.ts'
import { ReleaseError } from '../releases/release-error.ts'
import { objectOf, type ReleaseStore } from '../releases/store-files.ts'
import { packed, type ShippedFile } from './archive.ts'

/** Puts an archive into the store under the digest of its bytes. */
export async function keepArchive(
  { objects, claim }: ReleaseStore,
  release_id: string,
  shipped: AsyncIterable<ShippedFile>,
): Promise<AppArtifact> {
  const digest = createHash('sha256')
  const counted = { bytes: 0, files: 0 }
  const waiting = objectOf(`made-${release_id}`)
  const bytes = measured(packed(countedFiles(shipped, counted)), (chunk) => {
    digest.update(chunk)
    counted.bytes += chunk.byteLength
    if (counted.bytes > appLimits.archiveBytes)
      throw new ReleaseError(
        'build',
        `What is shipped has more than ${appLimits.archiveBytes} bytes; ship a smaller folder`,
      )
  })
  try {
    await objects.put(waiting, bytes)
    const sha256 = digest.digest('hex')
    await claim(sha256)
    await moveTo(objects, waiting, sha256)
    return { kind: 'archive', digest: sha256, ...counted }
  } finally {
    await objects.delete(waiting)
  }
}

async function moveTo(objects: ObjectStore, waiting: string, sha256: string): Promise<void> {
  if ((await objects.head(objectOf(sha256))) !== null) return
  if (!(await objects.copy(waiting, objectOf(sha256)))) throw new Error('An archive was put and is not there')
}

async function* countedFiles(files: AsyncIterable<ShippedFile>, counted: { files: number }) {
  for await (const file of files) {
    if (file.header.type !== 'directory') counted.files += 1
    yield file
  }
}

async function* measured(chunks: AsyncIterable<Uint8Array>, look: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    look(chunk)
    yield chunk
  }
}
