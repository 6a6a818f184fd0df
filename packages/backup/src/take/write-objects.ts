import { backupNamePattern } from '@svc/facts'
import type { ObjectStore } from '@svc/objects'
import { objectFile } from '../format/manifest.ts'
import type { PartWriter } from '../format/part-writer.ts'
import type { Earlier } from './earlier.ts'

/** Every object; one that was there before the earlier backup began is linked. */
export async function writeObjects(
  writer: PartWriter,
  objects: ObjectStore,
  earlier: Earlier | null,
): Promise<void> {
  for await (const { key, bytes, modified_at } of objects.list('')) {
    // Backups may lie in the same store.
    if (backupNamePattern.test(key.split('/', 1)[0] ?? '')) continue
    const part = earlier?.parts.get(objectFile(key))
    if (earlier && part?.bytes === bytes && modified_at < earlier.rows_at)
      if (await writer.take(earlier.name, part)) continue
    const content = await objects.get(key)
    // Removed since it was listed: no row of the snapshot names it.
    if (content !== null) await writer.write(objectFile(key), content)
  }
}
