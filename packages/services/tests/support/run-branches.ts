import { createLogger } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { createRepositories, type Repository } from '@svc/git'
import { openFolderStore } from '@svc/objects'
import { sweepSessionBranches } from '../../src/index.ts'
import { reachedOf } from './reached.ts'

/** The removal of branches in a process of its own. */
const [connection_string = '', root = '', folder = '', now = '', stop_at = ''] = process.argv.slice(2)
const reached = reachedOf(stop_at)
const db = createDatabase(connection_string)
const opened = await createRepositories({
  root,
  cache_root: `${root}-cache-of-another`,
  identity: { name: 'svc', email: 'noreply@svc.invalid' },
  allow: { http: false, file: false, ssh: false, private_addresses: false },
})

/** The same repository, whose branches move in steps. */
function inSteps(repository: Repository): Repository {
  const { branches } = repository
  if (branches.at !== 'store') return repository
  const publish: typeof branches.publish = async (refs) => {
    await reached('before the branch is removed')
    const outcome = await branches.publish(refs)
    await reached('after the branch was removed')
    return outcome
  }
  return { ...repository, branches: { at: 'store', publish } }
}
const repositories: typeof opened = Object.assign(Object.create(opened) as typeof opened, {
  open: async (...args: Parameters<typeof opened.open>) => inSteps(await opened.open(...args)),
})
const store = await openFolderStore(folder)
const objects: typeof store = {
  ...store,
  async put(key, body) {
    await reached('before the bundle is stored')
    await store.put(key, body)
  },
  async get(key, range) {
    await reached('while it is read back')
    return store.get(key, range)
  },
}
const log = createLogger({ name: 'branches', level: 'silent' })
await sweepSessionBranches({ db, repositories, objects, log, now: () => new Date(now) }, 24 * 3_600_000)
await opened.close()
await db.destroy()
