import type { BaseContext, OfferedModel } from '@svc/context'
import { type Db, type projects, secrets } from '@svc/db'
import type { ServiceError } from '@svc/errors'
import { isModelAvailable, type ResolvedModel, resolveModel } from '@svc/session'

export interface ModelRequest {
  readonly project: Pick<projects.ProjectWithDefaults, 'project_id' | 'default_model' | 'account_model'>
  /** The model that the creator or the trigger names. */
  readonly asked: string | null
  readonly asked_by: 'the trigger' | 'the request'
  readonly agent: { readonly agent_name: string; readonly model: string | null }
}

/**
 * `model` is given to the session: null leaves the choice to its agent's file, and then to the platform. `means` is what
 * that comes to as far as it is known here.
 */
export type SessionModel =
  | { readonly kind: 'usable'; readonly model: string | null; readonly means: string }
  | {
      readonly kind: 'unavailable'
      readonly model: string
      readonly reason: string
      /** The gateway's own refusal, of a model that is its alone. */
      readonly error?: ServiceError
    }

/**
 * The model of a new session: its creator or trigger, its agent, the project, the account, the platform. The gateway is
 * asked first; a model that it does not offer is left to the project's own secret.
 */
export async function resolveSessionModel(
  ctx: Pick<BaseContext, 'settings' | 'session_models'>,
  db: Db,
  request: ModelRequest,
): Promise<SessionModel> {
  const { project, asked, agent } = request
  const { project_id } = project
  const resolved = resolveModel({
    session: asked,
    agent: agent.model,
    project: project.default_model,
    account: project.account_model,
  })
  const { model } = resolved
  const { agent_name } = agent
  const offered = (await ctx.session_models?.find(db, { project_id, agent_name, model })) ?? null
  if (offered?.kind === 'offered') return usableModel(resolved)
  const held = { project_id, model }
  const error = await gatewaysAlone(db, held, offered)
  if (error !== null) return { kind: 'unavailable', model, reason: error.message, error }
  if (await isUsable(ctx.settings, db, held)) return usableModel(resolved)
  return { kind: 'unavailable', model, reason: unavailable(request, resolved) }
}

/** Null for an agent's model: the agent's file names it, on the session's own branch. */
export function usableModel({ model, named_by }: ResolvedModel): SessionModel {
  return {
    kind: 'usable',
    model: named_by === 'agent' || model === 'auto' ? null : model,
    means: model,
  }
}

interface HeldModel {
  readonly project_id: string
  readonly model: string
}

/**
 * The gateway's refusal of a model of its own providers, which is asked of the gateway or not at all, unless the project has
 * a key of its own. That is no way around a list of the project's or its account's.
 */
async function gatewaysAlone(
  db: Db,
  held: HeldModel,
  offered: OfferedModel | null,
): Promise<ServiceError | null> {
  if (offered === null || offered.kind === 'offered') return null
  const { kind, refusal } = offered
  const may_be_own = kind === 'not_allowed' ? offered.by === 'operator' : offered.known_provider
  if (kind === 'not_offered' && !may_be_own) return null
  return may_be_own && (await hasOwnKey(db, held)) ? null : refusal
}

async function isUsable(
  settings: Pick<BaseContext['settings'], 'offered_models'>,
  db: Db,
  held: HeldModel,
): Promise<boolean> {
  const offered = settings.offered_models ?? null
  return isModelAvailable(held.model, { offered, secret_names: [] }) || hasOwnKey(db, held)
}

async function hasOwnKey(db: Db, { project_id, model }: HeldModel): Promise<boolean> {
  const secret_names = (await secrets.list(db, project_id)).map((secret) => secret.name)
  return isModelAvailable(model, { offered: [], secret_names })
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
