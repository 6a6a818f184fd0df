import { isBranchName } from '@svc/change-request'
import { type Context, recordAudit, requireUser } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { defaultBranch, resolveBranch } from '@svc/git'
import { homeAccount, insertProject } from './insert-project.ts'
import { presentProject } from './present.ts'

export interface ConnectInput {
  readonly name: string
  readonly repo_url: string
  readonly default_branch?: string | undefined
  readonly credential?: { readonly username?: string | undefined; readonly token: string } | undefined
}

/** A project on a repository that is already there. It must answer now, so that a typo is found now. */
export async function connectProject(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'settings' | 'now' | 'newId' | 'signal'>,
  input: ConnectInput,
) {
  const { user_id } = requireUser(ctx)
  const account_id = await homeAccount(ctx, user_id)
  refuseCredentialInUrl(input.repo_url)
  await ctx.repositories.check(input.repo_url)

  const project_id = ctx.newId()
  const credential = input.credential
    ? { username: input.credential.username ?? 'x-access-token', token: input.credential.token }
    : null
  try {
    const target = { kind: 'connected' as const, project_id, repo_url: input.repo_url, credential }
    const repository = await ctx.repositories.open(target, { signal: ctx.signal }).catch(correctable)
    const default_branch = input.default_branch ?? (await defaultBranch(repository)) ?? 'main'
    if (input.default_branch !== undefined) await requireBranch(repository, input.default_branch)
    const project = await ctx.db.transaction().execute(async (tx) => {
      const inserted = await insertProject(ctx, tx, user_id, {
        project_id,
        account_id,
        name: input.name,
        kind: 'connected',
        repo_url: input.repo_url,
        default_branch,
        credential,
      })
      const target = `projects/${project_id}`
      await recordAudit(ctx, tx, { account_id, project_id, action: 'connectProject', target })
      return inserted
    })
    return presentProject(ctx.settings, project)
  } catch (error) {
    await ctx.repositories.removeMirror(project_id)
    throw error
  }
}

/** An address is stored and shown as it is; a password in it would be shown too. The user of ssh is part of its address. */
function refuseCredentialInUrl(repo_url: string): void {
  const url = URL.canParse(repo_url) ? new URL(repo_url) : null
  if (!url || (url.password === '' && (url.username === '' || url.protocol === 'ssh:'))) return
  throw new ServiceError(
    'repository_not_allowed',
    'The address holds a credential; pass it as credential instead',
    {
      issues: [{ path: 'repo_url', message: 'must not hold a user name or password' }],
    },
  )
}

const correctableReasons: ReadonlySet<unknown> = new Set([
  'credential_refused',
  'repository_not_found',
  'redirected',
])

/** Reports as wrong input, in the call that connects a project, errors that mean unavailable once the project is there. */
function correctable(error: unknown): never {
  if (error instanceof ServiceError && correctableReasons.has(error.details['reason'])) {
    const { reason } = error.details
    throw new ServiceError('repository_not_connected', error.message, { reason }, { cause: error })
  }
  throw error
}

async function requireBranch(repository: Parameters<typeof resolveBranch>[0], branch: string): Promise<void> {
  if (isBranchName(branch) && (await resolveBranch(repository, branch)) !== null) return
  throw new ServiceError(
    'REF_NOT_FOUND',
    `The repository has no branch named ${JSON.stringify(branch)}; name one that it has as default_branch`,
  )
}
