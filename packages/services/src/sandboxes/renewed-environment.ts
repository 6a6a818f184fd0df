import type { BaseContext } from '@svc/context'
import { personalSecrets, type ProjectRow, projects, secretAccesses, secrets, type sessions } from '@svc/db'
import { personalOwner, sessionSecrets } from '../secrets/environment.ts'
import type { SandboxClaim } from './provision/claim.ts'

type Environment = Readonly<Record<string, string>>

export interface RenewedEnvironment {
  readonly environment: Environment
  /** The change, as a running daemon is told of it. */
  readonly change: { readonly set: Environment; readonly unset: readonly string[]; readonly revision: string }
}

/**
 * The environment of a sandbox, with the secrets that its session would get today; null when it has exactly these.
 * Secrets that are new to it are logged first, by name.
 */
export async function renewedEnvironment(
  ctx: Pick<BaseContext, 'vault' | 'now' | 'newId'>,
  claim: SandboxClaim,
  project: ProjectRow,
  session: sessions.SessionView,
  kept: Environment,
): Promise<RenewedEnvironment | null> {
  const { project_id } = project
  const had = new Set((kept['SVC_PROJECT_SECRET_NAMES'] ?? '').split(',').filter((name) => name !== ''))
  const isKnown = (name: string, value: string) => had.has(name) && kept[name] === value
  return claim.write(async (tx) => {
    // A write that this transaction does not see finds the sandbox on its way up, and owes it its secrets.
    await projects.awaitSecretWrites(tx, project_id)
    const user_id = personalOwner(session)
    const sealed = {
      secrets: await secrets.list(tx, project_id),
      personal_secrets: user_id === null ? [] : await personalSecrets.list(tx, { project_id, user_id }),
    }
    const { values, revision, access } = await sessionSecrets(ctx, tx, project, session, sealed, isKnown)
    if (revision === kept['SVC_PROJECT_SECRETS_REVISION']) return null
    if (access !== null) await secretAccesses.insert(tx, access)
    const others = Object.entries(kept).filter(([name]) => !had.has(name))
    const environment = {
      ...Object.fromEntries(others),
      ...values,
      SVC_PROJECT_SECRET_NAMES: Object.keys(values).join(','),
      SVC_PROJECT_SECRETS_REVISION: revision,
    }
    const unset = [...had].filter((name) => !(name in values))
    return { environment, change: { set: values, unset, revision } }
  })
}
