import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commit, type Files } from './commit.ts'
import { testGit } from './test-git.ts'

export interface TestRepository {
  readonly git_dir: string
  /** A `file://` address of the bare repository. */
  readonly url: string
  git(...args: string[]): Promise<string>
  tip(branch: string): Promise<string>
  remove(): Promise<void>
}

export interface MakeRepositoryOptions {
  readonly default_branch?: string
  /** The first commit; without files the repository stays empty. */
  readonly files?: Files
  /** Branches cut from the first commit, each with one commit of its own. */
  readonly branches?: Readonly<Record<string, Files>>
  /** The folder to make it in; a fresh temporary folder when absent. */
  readonly git_dir?: string
}

/** A small real bare repository. */
export async function makeRepository(options: MakeRepositoryOptions = {}): Promise<TestRepository> {
  const { default_branch = 'main', files, branches = {} } = options
  const folder = options.git_dir ?? (await mkdtemp(join(tmpdir(), 'svc-git-')))
  const git_dir = options.git_dir ?? join(folder, 'repository.git')
  await testGit(['init', '--bare', '--quiet', '--template=', `--initial-branch=${default_branch}`, git_dir])
  const made = { git_dir }
  if (files) await commit(made, default_branch, files, 'First')
  for (const [branch, changes] of Object.entries(branches)) {
    await commit(made, branch, changes, `Work on ${branch}`, { from: default_branch })
  }
  return {
    git_dir,
    url: pathToFileURL(git_dir).href,
    git: (...args) => testGit(args, { git_dir }),
    tip: (branch) => testGit(['rev-parse', `refs/heads/${branch}`], { git_dir }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
