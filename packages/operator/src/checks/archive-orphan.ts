import { archiveObjects } from '@svc/db'
import type { ObjectInfo } from '@svc/objects'
import type { Check, CheckContext, Found } from './check.ts'

const batch = 500
/** The folders of what leaves the database and the repositories. */
const folders = ['events/', 'branches/']

/**
 * An object of the archive without a row, as a restore of older rows leaves them. Once it has one, it goes when no backup can
 * name it any more, as every object does that nothing names.
 */
export const archiveOrphan: Check = {
  name: 'archive_orphan',
  worker: 'merge',
  of: 'platform',
  run: async (ctx) => {
    const found: Found[] = []
    let some: ObjectInfo[] = []
    for (const folder of folders) {
      for await (const object of ctx.objects.list(folder)) {
        ctx.signal.throwIfAborted()
        if (some.push(object) < batch) continue
        found.push(...(await unknownOf(ctx, some)))
        some = []
      }
    }
    return [...found, ...(await unknownOf(ctx, some))]
  },
}

/** The rows are read after the list, and each object has one before it is stored. */
async function unknownOf({ db, now }: CheckContext, objects: readonly ObjectInfo[]): Promise<Found[]> {
  const known = await archiveObjects.known(
    db,
    objects.map(({ key }) => key),
  )
  return objects
    .filter(({ key }) => !known.has(key))
    .map(({ key: object_key, bytes }) => ({
      severity: 'warning',
      project_id: null,
      subject: `objects/${object_key}`,
      message:
        'No row knows the object; a repair has it removed after the days for which backups may need it (SVC_BACKUP_WINDOW_DAYS)',
      repair: () => archiveObjects.adopt(db, { object_key, bytes, now: now() }),
    }))
}
