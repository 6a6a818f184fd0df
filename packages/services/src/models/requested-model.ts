import type { Context } from '@svc/context'
import { accounts, type ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { resolveSessionModel } from './resolve-session-model.ts'

export interface RequestedModel {
  readonly project: ProjectRow
  readonly agent_name: string
  /** The model that the agent's own file names. */
  readonly of_agent: string | null
  /** The id that the session will have. */
  readonly session_id: string
  /** `provider/model`, or `auto`, which is what naming none says. */
  readonly asked: string | undefined
}

/**
 * The model of a session that a caller asks for; 400 when it is not available. What the gateway would refuse the first
 * call with is refused here, before anything starts.
 */
export async function requestedModel(
  ctx: Pick<Context, 'db' | 'settings' | 'session_models'>,
  request: RequestedModel,
): Promise<string | null> {
  const { agent_name, of_agent, session_id } = request
  const asked = request.asked === 'auto' ? null : (request.asked ?? null)
  const account = await accounts.find(ctx.db, request.project.account_id)
  const agent = { agent_name, model: asked === null ? of_agent : null }
  const project = { ...request.project, account_model: account?.default_model ?? null }
  const resolved = await resolveSessionModel(ctx, ctx.db, { project, asked, asked_by: 'the request', agent })
  if (resolved.kind === 'usable') {
    const refusal = await ctx.session_models?.refusal(ctx.db, {
      ...{ project_id: project.project_id, session_id, agent_name, trigger_slug: null },
      model: resolved.means,
    })
    if (refusal) throw refusal
    return resolved.model
  }
  if (resolved.error) throw resolved.error
  const issues = [{ path: 'model', message: resolved.reason }]
  throw new ServiceError('invalid_request', resolved.reason, { issues })
}
