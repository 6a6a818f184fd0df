import type { BuildLevels } from './migration.ts'
import type { SchemaStatus } from './read-schema.ts'

/** Whether a build may work on a database as it is: `behind` may change, by a migration; `too_old` does not. */
export type Admission =
  | { readonly kind: 'ready' }
  | { readonly kind: 'newer'; readonly message: string }
  | { readonly kind: 'behind' | 'too_old'; readonly message: string }

export interface Build extends BuildLevels {
  readonly version: string
}

export function admitBuild(
  { level, min_reader }: Pick<SchemaStatus, 'level' | 'min_reader'>,
  { needed, newest, version }: Build,
): Admission {
  if (newest < min_reader)
    return {
      kind: 'too_old',
      message: `This build (${version}) is too old for the database, which needs schema ${min_reader} or newer. Start the newer release, or restore a backup.`,
    }
  if (level < needed)
    return {
      kind: 'behind',
      message: `The database is at schema ${level} and this build (${version}) needs ${needed}. Run "node apps/api/dist/main.js migrate" with a role that owns the schema; nothing was changed.`,
    }
  if (level > newest)
    return {
      kind: 'newer',
      message: `The database is at schema ${level} and this build (${version}) knows ${newest}: a newer release is being rolled out`,
    }
  return { kind: 'ready' }
}
