import { type TokenRow, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { mintToken } from '../access/mint.ts'
import { requireProject, requireUser } from '../access/require.ts'
import type { Context } from '../context.ts'

export async function listTokens(ctx: Pick<Context, 'db' | 'principal'>) {
  const rows = await tokens.listOfUser(ctx.db, requireUser(ctx).user_id)
  return { tokens: rows.map(present) }
}

export async function createToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: { name: string; expires_at?: string | undefined },
) {
  const { user_id } = requireUser(ctx)
  const expires_at = expiry(ctx, input.expires_at)
  const { row, secret } = await mintToken(ctx, ctx.db, {
    kind: 'user',
    name: input.name,
    user_id,
    project_id: null,
    expires_at,
  })
  return { ...present(row), token: secret }
}

export async function revokeToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: { token_id: string },
): Promise<void> {
  const { user_id } = requireUser(ctx)
  if (!(await tokens.revoke(ctx.db, { kind: 'user', token_id: input.token_id, user_id }, ctx.now())))
    throw unknownToken()
}

export async function listProjectTokens(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { project_id: string },
) {
  await requireProject(ctx, input.project_id, 'project.credentials.issue')
  const rows = await tokens.listOfProject(ctx.db, input.project_id)
  return { tokens: rows.map(present) }
}

export async function createProjectToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: { project_id: string; name?: string | undefined; expires_at?: string | undefined },
) {
  await requireProject(ctx, input.project_id, 'project.credentials.issue')
  if (ctx.principal.type !== 'user')
    throw new ServiceError('forbidden', 'A project token mints no further tokens')
  const expires_at = expiry(ctx, input.expires_at)
  const { row, secret } = await mintToken(ctx, ctx.db, {
    kind: 'project',
    name: input.name ?? 'cli',
    user_id: ctx.principal.user_id,
    project_id: input.project_id,
    expires_at,
  })
  return { ...present(row), token: secret }
}

export async function revokeProjectToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: { project_id: string; token_id: string },
): Promise<void> {
  await requireProject(ctx, input.project_id, 'project.credentials.issue')
  if (!(await tokens.revoke(ctx.db, { kind: 'project', ...input }, ctx.now()))) throw unknownToken()
}

function expiry(ctx: Pick<Context, 'now'>, text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  if (at > ctx.now()) return at
  throw new ServiceError('invalid_request', 'expires_at lies in the past', {
    issues: [{ path: 'expires_at', message: 'must lie in the future' }],
  })
}

function unknownToken(): ServiceError {
  return new ServiceError('not_found', 'There is no such token')
}

function present(row: TokenRow) {
  return {
    token_id: row.token_id,
    name: row.name,
    kind: row.kind === 'user' ? ('user' as const) : ('project' as const),
    prefix: row.display_prefix,
    project_id: row.project_id,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
  }
}
