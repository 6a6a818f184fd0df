import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserPrincipal } from '@svc/access'
import { createLogger } from '@svc/boot'
import type { Context } from '@svc/context'
import { accounts, merges } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import {
  commit,
  type CommitOptions,
  type Files,
  makeRepository,
  startGitServer,
  testGit,
} from '@svc/git/testing'
import { openPlatform, type Platform } from '@svc/platform'
import { connectProject, createChangeRequest, provisionProject } from '@svc/services'
import { readEnv } from '../../src/env.ts'

/** One side of a project: where its branches really are. */
export interface TestProject {
  readonly project_id: string
  readonly git_dir: string
  commit(branch: string, files: Files, message?: string, options?: CommitOptions): Promise<string>
  git(...args: string[]): Promise<string>
}

/** The platform without its merge-worker, which the tests run as processes of their own. */
export interface World {
  readonly platform: Platform
  readonly ctx: Context
  readonly user_id: string
  /** The settings of a worker process; each has a folder of mirrors to itself. */
  worker_env(): Record<string, string>
  managed(): Promise<TestProject>
  remote(): Promise<TestProject>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const database = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'svc-merge-worker-'))
  const settings = {
    DATABASE_URL: database.connection_string,
    SVC_PUBLIC_URL: 'https://svc.example.test',
    SVC_REPOSITORIES_DIR: join(folder, 'managed'),
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_ALLOW_HTTP_REPOSITORIES: 'true',
    SVC_ALLOW_PRIVATE_ADDRESSES: 'true',
    SVC_INTERNAL_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
  }
  const worker_env = () => ({ ...settings, SVC_MIRRORS_DIR: join(folder, `mirrors-${randomUUID()}`) })
  const platform = await openPlatform(readEnv(worker_env()), createLogger({ name: 'test', level: 'silent' }))
  const credential = { username: 'x-access-token', token: 'secret-token' }
  const host = await startGitServer({ root: join(folder, 'remote'), credential })

  const account_id = randomUUID()
  const user_id = randomUUID()
  const created_at = new Date()
  await accounts.createWithOwner(
    platform.ctx.db,
    { account_id, name: 'Account', tier: 'self_host', created_at },
    { user_id, email: 'owner@svc.invalid', name: 'Owner', created_at },
  )
  const principal: UserPrincipal = { type: 'user', user_id, token_id: randomUUID() }
  const ctx: Context = { ...platform.ctx, principal, signal: new AbortController().signal }
  const project = (project_id: string, git_dir: string): TestProject => ({
    project_id,
    git_dir,
    commit: (branch, files, message, options) => commit({ git_dir }, branch, files, message, options),
    git: (...args) => testGit(args, { git_dir }),
  })
  return {
    platform,
    ctx,
    user_id,
    worker_env,
    async managed() {
      const { project_id } = await provisionProject(ctx, { name: 'Managed', seed_starter: true })
      return project(project_id, join(folder, 'managed', `${project_id}.git`))
    },
    async remote() {
      const name = `${randomUUID()}.git`
      const git_dir = join(folder, 'remote', name)
      await makeRepository({ git_dir, files: { 'README.md': '# Remote\n' } })
      const { project_id } = await connectProject(ctx, {
        name: 'Remote',
        repo_url: host.url(name),
        credential,
      })
      return project(project_id, git_dir)
    },
    async close() {
      await platform.close()
      await host.close()
      await database.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A merge that a person asked for; the job is only a hint, and may be given again. */
export async function askForMerge(world: World, project_id: string, cr_id: string): Promise<string> {
  const attempt_id = randomUUID()
  await merges.insertAttempt(world.ctx.db, {
    attempt_id,
    cr_id,
    project_id,
    requested_by: world.user_id,
    message: null,
    expected_head_sha: null,
    expected_base_sha: null,
    created_at: new Date(),
    finished_at: null,
  })
  return attempt_id
}

export interface Proposal {
  readonly cr_id: string
  readonly base_ref: string
  readonly base_sha: string
  readonly head_sha: string
}

/** A change request on a base of its own, whose merge needs a commit unless it fast-forwards. */
export async function propose(
  world: World,
  project: TestProject,
  kind: 'fast_forward' | 'merge_commit',
): Promise<Proposal> {
  const { project_id } = project
  const name = randomUUID().slice(0, 8)
  const [base_ref, head_ref] = [`base-${name}`, `head-${name}`]
  let base_sha = await project.commit(base_ref, { 'a.txt': 'a\n' }, 'Base', { from: 'main' })
  const head_sha = await project.commit(head_ref, { 'b.txt': `${name}\n` }, 'Head', { from: base_ref })
  if (kind === 'merge_commit') base_sha = await project.commit(base_ref, { 'c.txt': 'c\n' }, 'Meanwhile')
  const { cr_id } = await createChangeRequest(world.ctx, { project_id, title: name, head_ref, base_ref })
  return { cr_id, base_ref, base_sha, head_sha }
}
