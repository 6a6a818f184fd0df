import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import type { Repository } from '../src/index.ts'
import { makeRepositories, type TestRepositories } from '../src/testing/index.ts'

/** Storage for the tests of one file. */
export async function storage(
  options: Parameters<typeof makeRepositories>[0] = {},
): Promise<TestRepositories & { managed(): Promise<Repository & { readonly project_id: string }> }> {
  const made = await makeRepositories(options)
  afterAll(() => made.remove())
  return {
    ...made,
    async managed() {
      const project_id = randomUUID()
      await made.repositories.createManaged(project_id, 'main')
      return { ...(await made.repositories.open({ kind: 'managed', project_id })), project_id }
    },
  }
}

export const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('')
