import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateQueue } from '@svc/queue'
import type { TestProject } from 'vitest/node'
import { setup as setUpDatabase } from '../packages/db/src/testing/global-setup.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for what the files of a run share: the first that wants something puts it there. */
    svc_once_a_run: string
  }
}

/** A database to clone and a folder, for all projects of a run: Vitest sets up one after another, and ends them in reverse. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject()
  if ('svc_once_a_run' in run.getProvidedContext()) return undefined
  const closeDatabase = await setUpDatabase(run)
  try {
    await migrateQueue(templateOf(run))
    const folder = await mkdtemp(join(tmpdir(), 'svc-once-a-run-'))
    // Some programs in it run as users of their own.
    await chmod(folder, 0o755)
    run.provide('svc_once_a_run', folder)
    return async () => {
      await rm(folder, { recursive: true, force: true })
      await closeDatabase()
    }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

/** The jobs' schema belongs into the database that every test file clones. */
function templateOf(run: TestProject): string {
  const { admin_url, template } = run.getProvidedContext().test_postgres
  const url = new URL(admin_url)
  url.pathname = `/${template}`
  return url.href
}
