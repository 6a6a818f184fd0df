import { type ProjectRow, secrets } from '@svc/db'
import { secretsRevision } from '@svc/vault'
import type { BaseContext } from '../context.ts'
import { dataKey, openSealed } from './project-vault.ts'

export interface SecretEnvironment {
  readonly values: Readonly<Record<string, string>>
  readonly revision: string
}

/** The project's secrets in the clear, for a sandbox that is about to boot; `only` narrows them. */
export async function secretEnvironment(
  ctx: Pick<BaseContext, 'db' | 'vault'>,
  project: ProjectRow,
  only: readonly string[] | undefined,
): Promise<SecretEnvironment> {
  const rows = await secrets.list(ctx.db, project.project_id)
  const wanted = only === undefined ? rows : rows.filter((row) => only.includes(row.name))
  const entries = wanted.map(({ name, sealed_value }) => ({
    name,
    value: openSealed(ctx.vault, project, name, sealed_value),
  }))
  const values = Object.fromEntries(entries.map(({ name, value }) => [name, value]))
  return { values, revision: secretsRevision(dataKey(ctx.vault, project), entries) }
}
