import { requireAccount, requireActor, requirePlatformAdmin, requireProject, requireUser } from '@svc/context'
import { uuidPattern } from '@svc/facts'
import { requireOwnSandbox } from '@svc/services'
import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'
import { askedOperation } from './asked-operation.ts'

/** Refuses who may not ask at all, by the rule of the route, before they are told what their request has wrong. */
export async function refuseStrangers(c: Context<AppEnv>): Promise<void> {
  const access = askedOperation(c)?.access ?? null
  if (access === null || 'public' in access) return
  const ctx = c.get('ctx')
  const { project_id, account_id } = c.req.param()
  if ('platform_admin' in access) await requirePlatformAdmin(ctx)
  else if ('any_person' in access) requireUser(ctx)
  else if ('any_actor' in access) requireActor(ctx)
  else if ('capability' in access) {
    if (isId(project_id)) await requireProject(ctx, project_id, access.capability)
  } else if ('account_role' in access) {
    if (isId(account_id)) await requireAccount(ctx, account_id, access.account_role)
  } else if ('sandbox_key' in access && isId(project_id)) requireOwnSandbox(ctx, { project_id })
}

const isId = (text: string | undefined): text is string => text !== undefined && uuidPattern.test(text)
