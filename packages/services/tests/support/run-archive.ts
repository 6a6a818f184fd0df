import { createLogger, createMetrics } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { openFolderStore } from '@svc/objects'
import { sweepEventArchive } from '../../src/index.ts'
import { reachedOf } from './reached.ts'

const dayMs = 24 * 3_600_000

/** The sweep of the archive in a process of its own; it stands at `stop_at` until it is killed. */
const [connection_string = '', folder = '', now = '', stop_at = ''] = process.argv.slice(2)

const reached = reachedOf(stop_at)

const db = createDatabase(connection_string)
const store = await openFolderStore(folder)
const objects: typeof store = {
  ...store,
  async put(key, body) {
    await reached('before an object is stored')
    await store.put(key, body)
    await reached('after an object is stored')
  },
  async get(key, range) {
    await reached('while it is read back')
    return store.get(key, range)
  },
  async delete(key) {
    await reached('before an object is removed')
    await store.delete(key)
    await reached('after an object is removed')
  },
}
const ages = { hot_ms: 30 * dayMs, archive_ms: 0, window_ms: 7 * dayMs }
const log = createLogger({ name: 'archive', level: 'silent' })
const metrics = createMetrics('archive')
await sweepEventArchive({ db, locks: db, objects, log, metrics, now: () => new Date(now) }, ages)
await db.destroy()
