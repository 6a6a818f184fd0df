import type { Context } from '@svc/context'
import { commit, type CommitOptions, type Files, testGit } from '@svc/git/testing'
import { createChangeRequest, provisionProject } from '../index.ts'
import { addOwner, type Person } from './people.ts'
import type { World } from './world.ts'

export interface TestProject {
  readonly project_id: string
  readonly account_id: string
  readonly owner: Person
  /** A context of the owner. */
  readonly ctx: Context
  commit(branch: string, files: Files, message?: string, options?: CommitOptions): Promise<string>
  tip(branch: string): Promise<string>
  git(...args: string[]): Promise<string>
  /** A branch with one commit of its own, and the change request that proposes it. */
  propose(
    head_ref: string,
    files?: Files,
    more?: { readonly base_ref?: string; readonly session_id?: string; readonly title?: string },
  ): Promise<Awaited<ReturnType<typeof createChangeRequest>>>
}

/** A managed project with the starter's files on `main`. */
export async function makeProject(world: World, owner?: Person, seed_starter = true): Promise<TestProject> {
  const person = owner ?? (await addOwner(world))
  const ctx = world.as(person.principal)
  const { project_id, account_id } = await provisionProject(ctx, { name: 'Project', seed_starter })
  const git_dir = world.gitDir(project_id)
  const commitTo: TestProject['commit'] = (branch, files, message, options) =>
    commit({ git_dir }, branch, files, message, options)
  return {
    project_id,
    account_id,
    owner: person,
    ctx,
    commit: commitTo,
    tip: (branch) => testGit(['rev-parse', `refs/heads/${branch}`], { git_dir }),
    git: (...args) => testGit(args, { git_dir }),
    propose: async (head_ref, files = { [`${head_ref}.txt`]: `${head_ref}\n` }, more = {}) => {
      const { base_ref = 'main', title = `Add ${head_ref}`, session_id } = more
      await commitTo(head_ref, files, title, { from: base_ref })
      return createChangeRequest(ctx, { project_id, title, head_ref, base_ref, session_id })
    },
  }
}
