import type { sealedKeys } from '@svc/db'

/** A column that holds data keys, each sealed with a master key. */
export interface SealedPlace extends sealedKeys.SealedKeyColumn {
  /** Additional data that ties the key of that row to its place. */
  readonly aad: (id: string) => readonly string[]
}
