import { readSchema } from '@svc/db'
import type { Check } from './check.ts'

/** A migration that ran with other statements than this build has. */
export const migrationDrift: Check = {
  name: 'migration_drift',
  worker: 'merge',
  of: 'platform',
  run: async (ctx) => {
    const { drifted } = await readSchema(ctx.db)
    return drifted.map(({ name, expected, found }) => ({
      severity: 'warning' as const,
      project_id: null,
      subject: `migrations/${name}`,
      message: `It ran with other statements (${found.slice(0, 12)}) than this build has (${expected.slice(0, 12)}); compare the schema with that of a new database`,
    }))
  },
}
