import type { BaseContext } from '@svc/context'
import {
  type Db,
  personalSecrets,
  type ProjectRow,
  type SandboxMaterial,
  type SecretAccessRow,
  secrets,
  type sessions,
} from '@svc/db'
import { secretsRevision } from '@svc/vault'
import { personalName } from './personal.ts'
import { dataKey, openSealed } from '../projects/project-vault.ts'

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
  const rows = await secrets.list(ctx.db, project.project_id)
  const values = opened(ctx, project, rows, only, (name) => name)
  return { values, revision: revisionOf(ctx, project, values) }
}

const minMaskedLength = 4

/**
 * The values of all secrets of a project, each person's own among them, the longest first, and as JSON writes them: what
 * is hidden in texts that its sandboxes sent. One of fewer characters is a word of too many texts.
 */
export async function secretTexts(
  ctx: Pick<BaseContext, 'db' | 'vault'>,
  project: ProjectRow,
): Promise<readonly string[]> {
  const { project_id } = project
  const [shared, personal] = await Promise.all([
    secrets.list(ctx.db, project_id),
    personalSecrets.ofProject(ctx.db, project_id),
  ])
  const open = (place: string, sealed: string) => openSealed(ctx.vault, project, place, sealed)
  const values = [
    ...shared.map(({ name, sealed_value }) => open(name, sealed_value)),
    ...personal.map(({ user_id, name, sealed_value }) => open(personalName(user_id, name), sealed_value)),
  ]
  const written = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
  return [...new Set(written)]
    .filter((value) => value.length >= minMaskedLength)
    .toSorted((a, b) => b.length - a.length)
}

export interface SessionSecrets extends SecretEnvironment {
  /** To be written down in the same transaction; null when it is given nothing new. */
  readonly access: SecretAccessRow | null
}

/**
 * The secrets that a sandbox is given: the project's, and over them those of the session's owner alone, unless the
 * session is shared. Written down by name, but for those that the sandbox has already.
 */
export async function sessionSecrets(
  ctx: Pick<BaseContext, 'vault' | 'now' | 'newId'>,
  tx: Db,
  project: ProjectRow,
  session: sessions.SessionView,
  sealed: Pick<SandboxMaterial, 'secrets' | 'personal_secrets'>,
  isKnown: (name: string, value: string) => boolean = () => false,
): Promise<SessionSecrets> {
  const { project_id, session_id, created_by: user_id, agent_name, requested } = session
  const only = requested.secrets
  const shared = opened(ctx, project, sealed.secrets, only, (name) => name)
  const own = sealed.personal_secrets.filter(({ name }) => isWanted(only, name))
  const may_have = own.length > 0 && (await personalSecrets.claimSession(tx, session_id))
  const personal = opened(ctx, project, may_have ? own : [], only, (name) => personalName(user_id, name))
  const values = { ...shared, ...personal }
  const isNew = (name: string) => !isKnown(name, values[name] ?? '')
  const personal_names = Object.keys(personal).filter(isNew)
  const names = Object.keys(shared).filter((name) => !(name in personal) && isNew(name))
  const given = { names, personal_names, project_id, session_id, user_id, agent_name }
  const any = names.length + personal_names.length > 0
  const access = any ? { access_id: ctx.newId(), at: ctx.now(), ...given } : null
  return { values, revision: revisionOf(ctx, project, values), access }
}

/**
 * The person whose own secrets a session may get: its owner, when they started it in person. A session that a trigger
 * or an agent starts does what another person wrote.
 */
export function personalOwner({ origin, created_by }: sessions.SessionView): string | null {
  return origin === 'user' ? created_by : null
}

function opened(
  { vault }: Pick<BaseContext, 'vault'>,
  project: ProjectRow,
  sealed: SandboxMaterial['secrets'],
  only: readonly string[] | undefined,
  placeOf: (name: string) => string,
): Record<string, string> {
  const wanted = sealed.filter(({ name }) => isWanted(only, name))
  return Object.fromEntries(
    wanted.map(({ name, sealed_value }) => [name, openSealed(vault, project, placeOf(name), sealed_value)]),
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
