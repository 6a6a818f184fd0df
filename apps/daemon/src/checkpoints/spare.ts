import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../git/git.ts'
import { makeFolder } from '../shared/make-folder.ts'
import type { GitWith } from './git-with.ts'

/** Git in a repository of the daemon's own, for the files of a workspace whose repository is of no use any more. */
export function spareGit(git: GitWith, workspace: string, git_dir: string): GitWith {
  const own = { GIT_DIR: git_dir, GIT_WORK_TREE: workspace, GIT_CONFIG_GLOBAL: '/dev/null' }
  return (env, ...args) => git({ ...own, ...env }, ...args)
}

export async function makeSpare(git: GitWith, git_dir: string): Promise<void> {
  if (existsSync(join(git_dir, 'HEAD'))) return
  makeFolder(git_dir)
  await must('Making a repository', git({}, 'init', '-q', '--template=', '.'))
  makeFolder(join(git_dir, 'info'))
  appendFileSync(join(git_dir, 'info', 'exclude'), '/.svc/**/node_modules/\n')
}
