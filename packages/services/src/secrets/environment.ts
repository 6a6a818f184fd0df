import { type Db, personalSecrets, type ProjectRow, secretAccesses, secrets, type sessions } from '@svc/db'
import { secretsRevision } from '@svc/vault'
import type { BaseContext } from '../context.ts'
import { personalName } from './personal.ts'
import { dataKey, openSealed } from './project-vault.ts'

export interface SecretEnvironment {
  readonly values: Readonly<Record<string, string>>
  readonly revision: string
}

/** The project's secrets in the clear; `only` narrows them. */
export async function secretEnvironment(
  ctx: Pick<BaseContext, 'db' | 'vault'>,
  project: ProjectRow,
  only: readonly string[] | undefined,
): Promise<SecretEnvironment> {
  const values = await projectValues(ctx, project, only)
  return { values, revision: revisionOf(ctx, project, values) }
}

/**
 * What a sandbox that is about to boot is given: the project's secrets, and over them those of the session's owner
 * alone, unless the session is shared. Written down by name in the same transaction.
 */
export async function sessionSecrets(
  ctx: Pick<BaseContext, 'vault' | 'now' | 'newId'>,
  tx: Db,
  project: ProjectRow,
  session: sessions.SessionView,
): Promise<SecretEnvironment> {
  const { project_id, session_id, created_by: user_id, agent_name, requested } = session
  const shared = await projectValues({ ...ctx, db: tx }, project, requested.secrets)
  const personal = await personalValues(ctx, tx, project, session)
  const values = { ...shared, ...personal }
  const personal_names = Object.keys(personal)
  const names = Object.keys(shared).filter((name) => !personal_names.includes(name))
  if (names.length + personal_names.length > 0) {
    const access = { access_id: ctx.newId(), at: ctx.now(), names, personal_names }
    await secretAccesses.insert(tx, { ...access, project_id, session_id, user_id, agent_name })
  }
  return { values, revision: revisionOf(ctx, project, values) }
}

async function projectValues(
  { db, vault }: Pick<BaseContext, 'db' | 'vault'>,
  project: ProjectRow,
  only: readonly string[] | undefined,
): Promise<Record<string, string>> {
  const rows = (await secrets.list(db, project.project_id)).filter(({ name }) => isWanted(only, name))
  return Object.fromEntries(
    rows.map(({ name, sealed_value }) => [name, openSealed(vault, project, name, sealed_value)]),
  )
}

/**
 * A session gets its owner's own secrets when the owner started it in person: what a trigger or an agent starts does
 * what somebody else wrote.
 */
async function personalValues(
  { vault }: Pick<BaseContext, 'vault'>,
  tx: Db,
  project: ProjectRow,
  { project_id, session_id, created_by: user_id, origin, requested }: sessions.SessionView,
): Promise<Record<string, string>> {
  if (origin !== 'user') return {}
  const all = await personalSecrets.list(tx, { project_id, user_id })
  const rows = all.filter(({ name }) => isWanted(requested.secrets, name))
  if (rows.length === 0 || !(await personalSecrets.claimSession(tx, session_id))) return {}
  return Object.fromEntries(
    rows.map(({ name, sealed_value }) => [
      name,
      openSealed(vault, project, personalName(user_id, name), sealed_value),
    ]),
  )
}

function isWanted(only: readonly string[] | undefined, name: string): boolean {
  return only === undefined || only.includes(name)
}

function revisionOf(
  { vault }: Pick<BaseContext, 'vault'>,
  project: ProjectRow,
  values: Readonly<Record<string, string>>,
): string {
  const entries = Object.entries(values).map(([name, value]) => ({ name, value }))
  return secretsRevision(dataKey(vault, project), entries)
}
