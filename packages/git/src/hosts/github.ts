import type { BranchApi } from './branch-api.ts'
import { hostRefusal } from './host-error.ts'
import { textAt } from './json.ts'
import { encodePath } from './repository-path.ts'

/** GitHub and GitHub Enterprise: https://docs.github.com/rest/git/refs */
export const github: BranchApi = {
  base: (repo_url) => {
    const { hostname, origin } = new URL(repo_url)
    if (hostname === 'github.com' || hostname.endsWith('.ghe.com')) return `https://api.${hostname}`
    return `${origin}/api/v3`
  },

  headers: ({ token }) => ({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${token}`,
  }),

  async create(send, repository, { branch, at_sha }) {
    const git = `/repos/${encodePath(repository)}/git`
    const body = { ref: `refs/heads/${branch}`, sha: at_sha }
    const answer = await send({ method: 'POST', path: `${git}/refs`, body })
    if (answer.status === 201) return { kind: 'created', commit_sha: textAt(answer.body, 'object', 'sha') }
    if (answer.status === 422 && textAt(answer.body, 'message') === 'Reference already exists') {
      const found = await send({ method: 'GET', path: `${git}/ref/heads/${encodePath(branch)}` })
      return { kind: 'exists', actual_sha: found.status === 200 ? textAt(found.body, 'object', 'sha') : null }
    }
    return hostRefusal(answer)
  },
}
