import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of an embedded PostgreSQL as its first start leaves it: no table is in it. */
    svc_empty_postgres: string
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }

/** The first start of an embedded database takes seconds: it is made once a run, and platforms begin on copies of it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-empty-postgres-'))
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log: quiet })
    await server.close()
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('svc_empty_postgres', join(folder, 'postgres'))
  return remove
}
