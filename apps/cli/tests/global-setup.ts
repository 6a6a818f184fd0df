import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for the bundled command, which the first test file that wants it puts there. */
    svc_bundle: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-bundle-'))
  project.provide('svc_bundle', folder)
  return () => rm(folder, { recursive: true, force: true })
}
