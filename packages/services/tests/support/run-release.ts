import { rm } from 'node:fs/promises'
import { createLogger, createMetrics } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { createRepositories } from '@svc/git'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { releaseSandbox } from '../../src/index.ts'
import { reachedOf } from './reached.ts'

/** The removal of a stopped sandbox, which is a file here, in a process of its own. */
const [connection_string = '', root = '', session_id = '', file = '', stop_at = ''] = process.argv.slice(2)
const reached = reachedOf(stop_at)
const db = createDatabase(connection_string)
const repositories = await createRepositories({
  root,
  cache_root: `${root}-cache-of-another`,
  identity: { name: 'svc', email: 'noreply@svc.invalid' },
  allow: { http: false, file: false, ssh: false, private_addresses: false },
})
const provider = {
  ...createMemoryProvider(),
  destroy: async () => {
    await reached('before the files go')
    await rm(file)
    await reached('after the files went')
  },
}
const log = createLogger({ name: 'release', level: 'silent' })
const { signal } = new AbortController()
await releaseSandbox(
  { db, locks: db, repositories, provider, log, metrics: createMetrics('release'), signal },
  { session_id },
)
await repositories.close()
await db.destroy()
