import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach } from 'vitest'
import { makeRepository, startGitServer, type TestRepository } from '../../src/testing/index.ts'
import { storage } from '../storage.ts'

const credential = { username: 'x-access-token', token: 'very-secret-token-1234567890' }
export let remote: TestRepository
export let name: string
export let project_id: string

/** A git host, and a repository there for each test of one file. */
export async function openHost() {
  const made = await storage()
  const { repositories } = made
  const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
  const host = await startGitServer({ root: folder, credential })
  afterAll(async () => {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    project_id = randomUUID()
    name = `${randomUUID()}.git`
    host.answer = null
    remote = await makeRepository({
      git_dir: join(folder, name),
      files: { 'a.txt': 'a\n' },
      branches: { work: { 'b.txt': 'b\n' } },
    })
  })
  const target = (overrides: object = {}) => ({
    kind: 'connected' as const,
    project_id,
    repo_url: host.url(name),
    credential,
    ...overrides,
  })
  return {
    ...made,
    folder,
    host,
    credential,
    target,
    open: (options = {}) => repositories.open(target(), options),
  }
}

export async function childrenNaming(text: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args'])
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'))
    .join('\n')
}
