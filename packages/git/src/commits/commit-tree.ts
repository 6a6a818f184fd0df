import { ServiceError } from '@svc/errors'
import { gitText, type Repository } from '../repository.ts'
import { signingConfig } from './signing.ts'

export interface NewCommit {
  readonly tree_sha: string
  readonly parents: readonly string[]
  readonly message: string
  readonly committed_at: Date
}

/** Writes a commit by the service's identity. It is on no ref until one is moved to it. */
export function commitTree(repository: Repository, commit: NewCommit): Promise<string> {
  if (commit.message.includes('\0')) {
    throw new ServiceError('invalid_request', 'The commit message holds a NUL character; leave it out.')
  }
  const { name, email } = repository.identity
  const date = `@${Math.floor(commit.committed_at.getTime() / 1_000)} +0000`
  const parents = commit.parents.flatMap((parent) => ['-p', parent])
  const signing = signingConfig(repository.signing_key_file)
  const sign = signing.length === 0 ? [] : ['-S']
  return gitText(repository, ['commit-tree', ...sign, ...parents, '-F', '-', commit.tree_sha], {
    config: signing,
    input: commit.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  })
}
