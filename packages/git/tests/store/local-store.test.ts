import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { gitEnvironment } from '../../src/runner/environment.ts'
import { Runner } from '../../src/runner/runner.ts'
import { createLocalStore } from '../../src/store/local-store.ts'
import { describeRepositoryStore } from './describe-repository-store.ts'

const root = await mkdtemp(join(tmpdir(), 'svc-store-'))
const runners = [1, 2].map(
  () => new Runner({ environment: gitEnvironment(root), directory: root, concurrency: 8 }),
)

afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.close()))
  await rm(root, { recursive: true })
})

describeRepositoryStore('the local store', async () =>
  runners.map((runner) => createLocalStore({ root, runner })),
)
