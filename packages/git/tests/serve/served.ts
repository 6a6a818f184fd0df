import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { type PushRules, type Repository } from '../../src/index.ts'
import { commit, testGit } from '../../src/testing/index.ts'
import { type ManagedServer, startManagedServer } from './managed-server.ts'
import { lines, storage } from '../storage.ts'

export const person: PushRules = {
  default_branch: 'main',
  default_allowed: true,
  only_branch: null,
  delete_allowed: true,
  read_only: false,
}
export const member: PushRules = { ...person, default_allowed: false }
export const session: PushRules = { ...member, only_branch: 'session', delete_allowed: false }

export let repository: Repository
export let host: ManagedServer
export let folder: string

/** A managed repository behind a server for each test of one file, and a folder for its clones. */
export async function openServed() {
  const { managed, repositories } = await storage()
  folder = await mkdtemp(join(tmpdir(), 'svc-clones-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    const made = await managed()
    await commit(made, 'main', { 'a.txt': lines(100) }, 'First')
    repository = made
    host = await startManagedServer(repositories, made.project_id)
  })
  afterEach(() => host.close())
  return {
    /** Serves a repository without commits for the rest of a test. */
    async serveEmpty(): Promise<void> {
      const made = await managed()
      await host.close()
      repository = made
      host = await startManagedServer(repositories, made.project_id)
    },
  }
}

export async function clone(...flags: string[]): Promise<string> {
  const path = join(folder, randomUUID())
  await testGit(['clone', '--quiet', ...flags, host.url, path])
  return path
}

export const at = (path: string, ...args: string[]) => testGit(['-C', path, ...args])

export async function change(
  path: string,
  file = 'change.txt',
  content: string = randomUUID(),
): Promise<string> {
  await writeFile(join(path, file), content)
  await at(path, 'add', '--all')
  await at(path, 'commit', '--quiet', '-m', 'Change')
  return at(path, 'rev-parse', 'HEAD')
}
