import {
  type AuditEntry,
  type Context,
  mintToken,
  recordAudit,
  requireGateway,
  requireProject,
  requireUser,
} from '@svc/context'
import type { Capability } from '@svc/facts'
import { accounts, type Db, type TokenRow, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireExpiry, rulesOf } from './expiry.ts'
import { presentToken, unknownToken } from './present.ts'

/** Keys of one project that people mint. */
export interface ProjectKeys {
  readonly kind: 'project' | 'gateway'
  readonly capability: Capability
  readonly path: string
}

const projectTokens: ProjectKeys = {
  kind: 'project',
  capability: 'project.credentials.issue',
  path: 'cli-token',
}

export type KeyContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId'>

export interface NewProjectKey {
  readonly project_id: string
  readonly name?: string | undefined
  readonly expires_at?: string | undefined
}

/** The person who mints a key of a project, and the rules of its account; refuses all others. */
export async function requireMinter(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  keys: ProjectKeys,
  project_id: string,
) {
  const { account_id } = await requireProject(ctx, project_id, keys.capability)
  // A key never mints a further one, whatever principal is behind it.
  const { user_id } = requireUser(ctx)
  if (keys.kind === 'gateway') await requireGateway(ctx, project_id)
  const account = await accounts.find(ctx.db, account_id)
  if (!account) throw new ServiceError('not_found', 'There is no such project; list those that you reach')
  return { account_id, user_id, rules: rulesOf(account) }
}

/** Mints a key; `write` adds rows of its own in the same transaction. */
export async function mintProjectKey(
  ctx: KeyContext,
  keys: ProjectKeys,
  action: string,
  input: NewProjectKey & { readonly name: string },
  more: { readonly details?: AuditEntry['details']; write?(tx: Db, row: TokenRow): Promise<void> } = {},
) {
  const { project_id, name } = input
  const { account_id, user_id, rules } = await requireMinter(ctx, keys, project_id)
  const expires_at = requireExpiry(ctx, rules, input.expires_at)
  return ctx.db.transaction().execute(async (tx) => {
    const { row, secret } = await mintToken(ctx, tx, {
      kind: keys.kind,
      name,
      user_id,
      project_id,
      expires_at,
    })
    await more.write?.(tx, row)
    const target = `projects/${project_id}/${keys.path}/${row.token_id}`
    const { details } = more
    await recordAudit(ctx, tx, { account_id, project_id, action, target, ...(details && { details }) })
    return { ...presentToken(row), token: secret }
  })
}

export async function revokeProjectKey(
  ctx: KeyContext,
  keys: ProjectKeys,
  action: string,
  input: { project_id: string; token_id: string },
): Promise<void> {
  const { project_id, token_id } = input
  const { account_id } = await requireProject(ctx, project_id, keys.capability)
  await ctx.db.transaction().execute(async (tx) => {
    const owner = { kind: keys.kind, project_id, token_id }
    if (!(await tokens.revoke(tx, owner, ctx.now()))) throw unknownToken()
    const target = `projects/${project_id}/${keys.path}/${token_id}`
    await recordAudit(ctx, tx, { account_id, project_id, action, target })
  })
}

export async function listProjectTokens(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { project_id: string },
) {
  await requireProject(ctx, input.project_id, projectTokens.capability)
  const rows = await tokens.listOfProject(ctx.db, input.project_id)
  return { tokens: rows.map(presentToken) }
}

export async function createProjectToken(ctx: KeyContext, input: NewProjectKey) {
  return mintProjectKey(ctx, projectTokens, 'createProjectToken', { ...input, name: input.name ?? 'cli' })
}

export async function revokeProjectToken(
  ctx: KeyContext,
  input: { project_id: string; token_id: string },
): Promise<void> {
  return revokeProjectKey(ctx, projectTokens, 'revokeProjectToken', input)
}
