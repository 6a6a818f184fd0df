import type { Check } from '@svc/boot'
import { admitBuild, type Db, levelsOf, migrations, readLevels } from '@svc/db'
import { version } from '../schema/version.ts'

/** The database answers, and its schema is one that this build may work on. */
export function databaseChecks(db: Db): { readonly database: Check; readonly schema: Check } {
  return {
    database: () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute(),
    async schema() {
      const admission = admitBuild(await readLevels(db), { ...levelsOf(migrations), version })
      if (admission.kind !== 'ready' && admission.kind !== 'newer') throw new Error(admission.message)
    },
  }
}
