import type { ObjectStore } from '@svc/objects'
import { type Manifest, type Part, readManifest } from '../format/manifest.ts'

/** A finished backup of the same place, whose parts may be linked. */
export interface Earlier {
  readonly name: string
  readonly rows_at: Date
  readonly parts: ReadonlyMap<string, Part>
  readonly repositories: ReadonlyMap<string, Manifest['repositories'][number]>
}

export async function readEarlier(store: ObjectStore, name: string): Promise<Earlier> {
  const manifest = await readManifest(store, name)
  if (manifest === null) throw new Error(`${name} is no finished backup of this place`)
  return {
    name,
    rows_at: manifest.rows_at,
    parts: new Map(manifest.parts.map((part) => [part.path, part])),
    repositories: new Map(manifest.repositories.map((one) => [one.project_id, one])),
  }
}
