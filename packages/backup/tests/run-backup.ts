import { randomUUID } from 'node:crypto'
import { createDatabase } from '@svc/db'
import { createRepositories } from '@svc/git'
import { openFolderStore } from '@svc/objects'
import { createVault } from '@svc/vault'
import { runBackup } from '../src/index.ts'

/** A backup in a process of its own, which stands for ever at the part whose path begins with `stop_at`. */
const [database_url = '', root = '', objects_dir = '', target = '', stop_at = ''] = process.argv.slice(2)
const db = createDatabase(database_url)
const repositories = await createRepositories({
  root,
  cache_root: `${root}-cache-of-another`,
  identity: { name: 'svc', email: 'noreply@svc.invalid' },
  allow: {},
})
const store = await openFolderStore(target)
const to: typeof store = {
  ...store,
  async put(key, body) {
    if (key.slice(key.indexOf('/') + 1).startsWith(stop_at)) {
      console.info(key)
      await new Promise(() => setInterval(() => undefined, 1_000))
    }
    await store.put(key, body)
  },
}
await runBackup(
  {
    db,
    read_url: database_url,
    repositories,
    objects: await openFolderStore(objects_dir),
    vault: createVault(Buffer.from(randomUUID().repeat(2)).subarray(0, 32), { key_id: 'killed' }),
    places: [],
    version: '1.0.0',
    now: () => new Date(),
  },
  db,
  { open: async () => to, target },
)
