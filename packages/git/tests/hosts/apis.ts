import type { HostApi } from './stand-in.ts'

const none = { status: 404, body: { message: 'Not Found' } }

/** `GET …/git/ref/heads/{branch}`, `POST …/git/refs`. */
export const githubApi = (token: string): HostApi => ({
  prefix: '/api/v3',
  authorization: `Bearer ${token}`,
  async answer({ method, path, body }, git) {
    const [, repository = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)\/git\/(.*)$/.exec(path) ?? []
    const repo = git(repository)
    const known = (branch: string, sha: string) => ({
      ref: `refs/heads/${branch}`,
      object: { type: 'commit', sha },
    })
    if (method === 'POST' && rest === 'refs') {
      const { ref = '', sha = '' } = body
      const branch = ref.replace(/^refs\/heads\//, '')
      if (branch === ref) return { status: 422, body: { message: 'Reference update failed' } }
      if ((await repo.tip(branch)) !== null)
        return { status: 422, body: { message: 'Reference already exists' } }
      if (!(await repo.cut(branch, sha))) return { status: 422, body: { message: 'Object does not exist' } }
      return { status: 201, body: known(branch, sha) }
    }
    const branch = decodeURIComponent(/^ref\/heads\/(.+)$/.exec(rest)?.[1] ?? '')
    const sha = await repo.tip(branch)
    return method === 'GET' && sha !== null ? { status: 200, body: known(branch, sha) } : none
  },
})

/** `POST /projects/:id/repository/branches`, `GET …/branches/:branch`. */
export const gitlabApi = (token: string): HostApi => ({
  prefix: '/api/v4',
  authorization: `Bearer ${token}`,
  async answer({ method, path, body }, git) {
    const [, id = '', named] = /^\/projects\/([^/]+)\/repository\/branches(?:\/([^/]+))?$/.exec(path) ?? []
    const repo = git(decodeURIComponent(id))
    const known = (name: string, sha: string) => ({ name, commit: { id: sha } })
    if (method === 'POST' && named === undefined) {
      const { branch = '', ref = '' } = body
      if ((await repo.tip(branch)) !== null) {
        return { status: 400, body: { message: 'Branch already exists' } }
      }
      if (!(await repo.cut(branch, ref)))
        return { status: 400, body: { message: `Invalid reference name: ${branch}` } }
      return { status: 201, body: known(branch, ref) }
    }
    const branch = decodeURIComponent(named ?? '')
    const sha = await repo.tip(branch)
    return method === 'GET' && sha !== null
      ? { status: 200, body: known(branch, sha) }
      : { status: 404, body: { message: '404 Branch Not Found' } }
  },
})

/** `POST …/branches`, `GET …/branches/{branch}`; versions before 1.20 cut at the default branch whatever is asked. */
export const giteaApi = (token: string, options: { readonly old?: boolean } = {}): HostApi => ({
  prefix: '/api/v1',
  authorization: `token ${token}`,
  async answer({ method, path, body }, git) {
    const [, repository = '', named] = /^\/repos\/([^/]+\/[^/]+)\/branches(?:\/(.+))?$/.exec(path) ?? []
    const repo = git(repository)
    const known = (name: string, sha: string | null) => ({ name, commit: { id: sha } })
    if (method === 'POST' && named === undefined) {
      const { new_branch_name = '', old_ref_name = '' } = body
      if ((await repo.tip(new_branch_name)) !== null) {
        return { status: 409, body: { message: 'The branch already exists.' } }
      }
      const from = options.old ? ((await repo.tip('main')) ?? '') : old_ref_name
      if (!(await repo.cut(new_branch_name, from))) {
        return { status: 404, body: { message: 'The old branch does not exist' } }
      }
      return { status: 201, body: known(new_branch_name, from) }
    }
    const branch = decodeURIComponent(named ?? '')
    const sha = await repo.tip(branch)
    return method === 'GET' && sha !== null ? { status: 200, body: known(branch, sha) } : none
  },
})
