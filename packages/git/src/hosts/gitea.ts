import type { BranchApi } from './branch-api.ts'
import { hostRefusal } from './host-error.ts'
import { textAt } from './json.ts'
import { encodePath } from './repository-path.ts'

/** Gitea and Forgejo: https://docs.gitea.com/api/ (repoCreateBranch) */
export const gitea: BranchApi = {
  base: (repo_url) => `${new URL(repo_url).origin}/api/v1`,

  headers: ({ token }) => ({ authorization: `token ${token}` }),

  async create(send, repository, { branch, at_sha }) {
    const branches = `/repos/${encodePath(repository)}/branches`
    const body = { new_branch_name: branch, old_ref_name: at_sha }
    const answer = await send({ method: 'POST', path: branches, body })
    if (answer.status === 201) return { kind: 'created', commit_sha: textAt(answer.body, 'commit', 'id') }
    if (answer.status === 409) {
      const found = await send({ method: 'GET', path: `${branches}/${encodePath(branch)}` })
      // Without such a branch the name stands in the way of others, which git explains better.
      if (found.status !== 200) return hostRefusal(answer)
      return { kind: 'exists', actual_sha: textAt(found.body, 'commit', 'id') }
    }
    return hostRefusal(answer)
  },
}
