import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolderStore } from '../folder-store.ts'
import type { ObjectStore } from '../object-store.ts'

export interface TestStore {
  readonly store: ObjectStore
  readonly folder: string
  remove(): Promise<void>
}

/** An empty store of one test file. */
export async function openTestStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-objects-'))
  return {
    store: await openFolderStore(folder),
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
