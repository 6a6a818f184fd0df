import { execFile } from 'node:child_process'

/** The branch checked out in the folder; null on a detached head, outside a repository or without git. */
export function currentBranch(directory: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: directory }, (error, stdout) =>
      resolve(error === null ? stdout.trim() || null : null),
    )
  })
}
