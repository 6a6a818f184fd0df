import { git, type Repository } from '../repository.ts'

export interface Branch {
  readonly name: string
  readonly commit_sha: string
  readonly committed_at: string
  readonly subject: string
}

const format = '%(refname:lstrip=2)%00%(objectname)%00%(committerdate:iso-strict)%00%(contents:subject)%00'

/** Every branch, the one that changed last first. */
export async function listBranches(repository: Repository): Promise<Branch[]> {
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads/']
  const fields = (await git(repository, args)).stdout.toString('utf8').split('\0')
  const branches: Branch[] = []
  for (let at = 0; at + 4 < fields.length; at += 4) {
    const [name = '', commit_sha = '', committed_at = '', subject = ''] = fields.slice(at, at + 4)
    branches.push({ name: name.replace(/^\n/, ''), commit_sha, committed_at, subject })
  }
  return branches
}
