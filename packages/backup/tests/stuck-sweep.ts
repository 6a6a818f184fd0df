import { createDatabase } from '@svc/db'
import { createRepositories } from '@svc/git'
import { openFolderStore } from '@svc/objects'
import { createVault } from '@svc/vault'
import { sweepBackups } from '../src/index.ts'

/** A scheduler in a process of its own, whose backup stands for ever at the first object. */
const [database_url = '', root = '', objects_dir = '', target = '', cron = ''] = process.argv.slice(2)
const db = createDatabase(database_url)
const objects = await openFolderStore(objects_dir)
const log = { info() {}, warn() {} }
const ctx = {
  db,
  locks: db,
  repositories: await createRepositories({
    root,
    cache_root: `${root}-cache-of-another`,
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    allow: {},
  }),
  objects: {
    ...objects,
    async *list(): ReturnType<typeof objects.list> {
      console.info('standing')
      await new Promise(() => setInterval(() => undefined, 1_000))
      yield* objects.list('')
    },
  },
  vault: createVault(Buffer.alloc(32, 1), { key_id: 'killed' }),
  now: () => new Date(),
  log,
}
await sweepBackups(ctx, {
  ...{ target, cron, keep: 2, keys: undefined, read_url: database_url, places: [], version: '1.0.0' },
})
