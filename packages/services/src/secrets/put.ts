import { type Context, recordAudit, requireActor, requireProject } from '@svc/context'
import { limits } from '@svc/contract'
import { type Db, type ProjectRow, sandboxes, secrets } from '@svc/db'
import { envNamePattern, platformNamePattern } from '@svc/facts'
import { ServiceError } from '@svc/errors'
import { presentSecret } from './list.ts'
import { sealFor } from '../projects/project-vault.ts'

const hourMs = 3_600_000

export async function putSecret(
  ctx: Pick<Context, 'db' | 'principal' | 'vault' | 'now' | 'newId' | 'report_rate'>,
  input: { project_id: string; name: string; value: string },
) {
  checkSecretName(input.name)
  checkSecretValue(input.value)
  const project = await requireProject(ctx, input.project_id, 'project.secret.write')
  const created_by = requireActor(ctx)
  const now = ctx.now()
  const row = await ctx.db.transaction().execute(async (tx) => {
    await countSecretWrite(ctx, tx, input.project_id)
    const stored = await secrets.put(tx, {
      project_id: input.project_id,
      name: input.name,
      sealed_value: sealFor(ctx.vault, project, input.name, input.value),
      created_by,
      created_at: now,
      updated_at: now,
    })
    await sandboxes.oweSecrets(tx, { project_id: input.project_id, user_id: null })
    await recordSecretWrite(ctx, tx, project, `secrets/${input.name}`, 'putSecret')
    return stored
  })
  return presentSecret(row)
}

export async function deleteSecret(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'report_rate'>,
  input: { project_id: string; name: string },
): Promise<void> {
  const project = await requireProject(ctx, input.project_id, 'project.secret.write')
  const removed = await ctx.db.transaction().execute(async (tx) => {
    await countSecretWrite(ctx, tx, input.project_id)
    const found = await secrets.remove(tx, input.project_id, input.name)
    if (!found) return false
    await sandboxes.oweSecrets(tx, { project_id: input.project_id, user_id: null })
    await recordSecretWrite(ctx, tx, project, `secrets/${input.name}`, 'deleteSecret')
    return true
  })
  if (!removed)
    throw new ServiceError(
      'not_found',
      `There is no secret named ${JSON.stringify(input.name)}; list those of the project`,
    )
}

/** The name, never the value. */
export async function recordSecretWrite(
  ctx: Pick<Context, 'principal' | 'now' | 'newId'>,
  tx: Db,
  { account_id, project_id }: ProjectRow,
  what: string,
  action: string,
): Promise<void> {
  const target = `projects/${project_id}/${what}`
  await recordAudit(ctx, tx, { account_id, project_id, action, target })
}

export async function countSecretWrite(
  ctx: Pick<Context, 'now' | 'report_rate'>,
  tx: Db,
  project_id: string,
): Promise<void> {
  const now = ctx.now()
  const since = new Date(now.getTime() - hourMs)
  const limit = limits.secretWritesPerHour
  const { allowed, writes, oldest } = await secrets.countWrite(tx, project_id, now, since, limit)
  // Each write makes room for another one an hour after it.
  const reset = Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1000))
  ctx.report_rate?.({ limit, remaining: limit - writes, reset })
  if (allowed) return
  throw new ServiceError(
    'project_secret_write_limit',
    `A project takes ${limit} secret writes an hour; try again in ${reset} s`,
    { retry_after: reset, rate_limit: { limit, remaining: 0, reset } },
  )
}

export function checkSecretName(name: string): void {
  if (platformNamePattern.test(name)) {
    throw new ServiceError(
      'SECRET_NAME_RESERVED',
      'Names that begin with SVC_ belong to the platform; choose another name',
      {
        issues: [{ path: 'name', message: 'must not begin with SVC_' }],
      },
    )
  }
  if (name.length > limits.secretNameLength || !envNamePattern.test(name)) {
    throw invalid(
      'name',
      `must be 1 to ${limits.secretNameLength} of A-Z a-z 0-9 _ and not begin with a digit`,
    )
  }
}

export function checkSecretValue(value: string): void {
  if (Buffer.byteLength(value) <= limits.secretValueBytes) return
  throw invalid('value', `must be at most ${limits.secretValueBytes} bytes`)
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${message}`, { issues: [{ path, message }] })
}
