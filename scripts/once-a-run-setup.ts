import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for what the files of a run share: the first that wants something puts it there. */
    svc_once_a_run: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-once-a-run-'))
  // Some programs in it run as users of their own.
  await chmod(folder, 0o755)
  project.provide('svc_once_a_run', folder)
  return () => rm(folder, { recursive: true, force: true })
}
