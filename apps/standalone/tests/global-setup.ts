import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import type { TestProject } from 'vitest/node'
import { builtEntry } from './support/platform/apps.ts'
import { output } from './support/platform/run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of an embedded PostgreSQL with the whole schema: no row is in it. */
    svc_begun_postgres: string
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }

/** The first start of an embedded database and its schema take seconds: it is made once a run, and platforms begin on copies of it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-begun-postgres-'))
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log: quiet })
    const env = { DATABASE_URL: server.connection_string }
    await output(process.execPath, [builtEntry('api'), 'migrate'], { env }).finally(() => server.close())
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('svc_begun_postgres', join(folder, 'postgres'))
  return remove
}
