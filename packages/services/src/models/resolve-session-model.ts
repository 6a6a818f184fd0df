import type { Settings } from '@svc/context'
import { type Db, type projects, secrets } from '@svc/db'
import { isModelAvailable, type ResolvedModel, resolveModel } from '@svc/session'

export interface ModelRequest {
  readonly project: Pick<projects.ProjectWithDefaults, 'project_id' | 'default_model' | 'account_model'>
  /** The model that the creator or the trigger names. */
  readonly asked: string | null
  readonly asked_by: 'the trigger' | 'the request'
  readonly agent: { readonly agent_name: string; readonly model: string | null }
}

/** `model` is given to the session: null leaves the choice to its agent's file, and then to the platform. */
export type SessionModel =
  | { readonly kind: 'usable'; readonly model: string | null }
  | { readonly kind: 'unavailable'; readonly model: string; readonly reason: string }

/** The model of a new session: its creator or trigger, its agent, the project, the account, the platform. */
export async function resolveSessionModel(
  { settings }: { readonly settings: Pick<Settings, 'offered_models'> },
  db: Db,
  request: ModelRequest,
): Promise<SessionModel> {
  const { project, asked, agent } = request
  const resolved = resolveModel({
    session: asked,
    agent: agent.model,
    project: project.default_model,
    account: project.account_model,
  })
  if (await isUsable(settings, db, project.project_id, resolved.model)) return usableModel(resolved)
  const { model } = resolved
  return { kind: 'unavailable', model, reason: unavailable(request, resolved) }
}

/** Null for an agent's model: the agent's file names it, on the session's own branch. */
export function usableModel({ model, named_by }: ResolvedModel): SessionModel {
  return { kind: 'usable', model: named_by === 'agent' || model === 'auto' ? null : model }
}

async function isUsable(
  settings: Pick<Settings, 'offered_models'>,
  db: Db,
  project_id: string,
  model: string,
): Promise<boolean> {
  const offered = settings.offered_models ?? null
  if (isModelAvailable(model, { offered, secret_names: [] })) return true
  const secret_names = (await secrets.list(db, project_id)).map((secret) => secret.name)
  return isModelAvailable(model, { offered, secret_names })
}

function unavailable({ asked_by, agent }: ModelRequest, { model, named_by }: ResolvedModel): string {
  const where = {
    session: `named by ${asked_by}`,
    agent: `named by the file of the agent ${agent.agent_name}`,
    project: 'the default of the project',
    account: 'the default of the account',
    platform: 'the choice of the platform',
  }[named_by]
  return `The model ${model} is not available (${where})`
}
