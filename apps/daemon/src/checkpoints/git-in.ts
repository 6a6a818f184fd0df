import { join } from 'node:path'
import { must } from '../git/git.ts'
import type { GitWith } from './git-with.ts'

/** A folder whose files are put into an index of its own, and the repository that keeps their contents. */
export interface Files {
  readonly git: GitWith
  readonly folder: string
  readonly index_file: string
  /** Undefined where git finds it by itself. */
  readonly git_dir?: string
}

/** Git on these files and that index, whatever the repository's own settings say of its work tree. */
export function gitIn({ git, folder, index_file, git_dir }: Files): GitWith {
  const own = {
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: index_file,
    ...(git_dir === undefined ? {} : { GIT_DIR: git_dir }),
  }
  return (env, ...args) => git({ ...own, ...env }, '-C', folder, ...args)
}

/** The files of a folder further down, whatever repository it belongs to. */
export async function filesBelow(files: Files, path: string, index_file: string): Promise<Files> {
  const found = await must('Finding the repository', gitIn(files)({}, 'rev-parse', '--absolute-git-dir'))
  return { git: files.git, folder: join(files.folder, path), index_file, git_dir: found }
}
