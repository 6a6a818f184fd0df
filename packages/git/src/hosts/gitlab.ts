import type { BranchApi } from './branch-api.ts'
import { hostRefusal } from './host-error.ts'
import { textAt } from './json.ts'

/** GitLab: https://docs.gitlab.com/api/branches/ */
export const gitlab: BranchApi = {
  base: (repo_url) => `${new URL(repo_url).origin}/api/v4`,

  // Personal, project and group tokens and OAuth ones are all taken this way.
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),

  async create(send, repository, { branch, at_sha }) {
    const branches = `/projects/${encodeURIComponent(repository)}/repository/branches`
    const answer = await send({ method: 'POST', path: branches, body: { branch, ref: at_sha } })
    if (answer.status === 201) return { kind: 'created', commit_sha: textAt(answer.body, 'commit', 'id') }
    if (answer.status === 400 && /already exists/i.test(textAt(answer.body, 'message') ?? '')) {
      const found = await send({ method: 'GET', path: `${branches}/${encodeURIComponent(branch)}` })
      return { kind: 'exists', actual_sha: found.status === 200 ? textAt(found.body, 'commit', 'id') : null }
    }
    return hostRefusal(answer)
  },
}
