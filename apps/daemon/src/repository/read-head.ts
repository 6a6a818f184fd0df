import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '../git/git.ts'

export interface Head {
  readonly branch: string | null
  readonly commit: string | null
}

const commitPattern = /^[0-9a-f]{40,64}$/

/** The branch that is checked out and its commit; without a process of git where the files already say it. */
export async function readHead(git: Git, workspace: string): Promise<Head> {
  const read = (path: string): Promise<string> =>
    readFile(join(workspace, '.git', path), 'utf8').then(
      (text) => text.trim(),
      () => '',
    )
  const ref = /^ref: (refs\/heads\/.+)$/.exec(await read('HEAD'))?.[1]
  const loose = ref === undefined ? '' : await read(ref)
  if (ref !== undefined && commitPattern.test(loose)) return { branch: branchOf(ref), commit: loose }
  const [name, commit] = await Promise.all([
    git('symbolic-ref', '-q', 'HEAD'),
    git('rev-parse', '-q', '--verify', 'HEAD'),
  ])
  return {
    branch: name.ok ? branchOf(name.stdout.trim()) : null,
    commit: commit.ok ? commit.stdout.trim() : null,
  }
}

function branchOf(ref: string): string {
  return ref.replace('refs/heads/', '')
}
