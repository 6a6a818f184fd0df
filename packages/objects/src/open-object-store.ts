import { openFolderStore } from './folder-store.ts'
import { objectPlace } from './object-place.ts'
import type { ObjectStore } from './object-store.ts'
import type { StoreKeys } from './s3-store.ts'

/** The store that a URL names. The client of S3 is large, and loaded for `s3://` alone. */
export async function openObjectStore(url: string, keys?: StoreKeys): Promise<ObjectStore> {
  const place = objectPlace(url)
  if (place === null)
    throw new Error(`${url} names no object store; it is file:///folder or s3://bucket/prefix`)
  if (place.kind === 'folder') return openFolderStore(place.folder)
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store(place, keys)
}
