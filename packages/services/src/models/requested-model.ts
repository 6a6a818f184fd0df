import type { Context } from '@svc/context'
import { accounts, type ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Repository } from '@svc/git'
import type { Manifest } from '@svc/manifest'
import { agentModelAt } from '../projects/read-manifest.ts'
import { resolveSessionModel } from './resolve-session-model.ts'

export interface RequestedModel {
  readonly project: ProjectRow
  readonly repository: Repository
  /** The commit that `manifest` was read from; null on an empty repository. */
  readonly tip: string | null
  readonly manifest: Manifest | null
  readonly agent_name: string
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
  const { repository, tip, manifest, agent_name, session_id } = request
  const asked = request.asked === 'auto' ? null : (request.asked ?? null)
  const reads = asked === null && tip !== null
  const [model, account] = await Promise.all([
    reads ? agentModelAt(repository, tip, manifest, agent_name) : null,
    accounts.find(ctx.db, request.project.account_id),
  ])
  const agent = { agent_name, model }
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
