import type { ProjectRow, sessions } from '@svc/db'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { mintToken } from '../access/mint.ts'
import type { BaseContext } from '../context.ts'
import { hasFeature } from '../features/require-feature.ts'
import { cloneUrl } from '../projects/present.ts'
import { sessionSecrets } from '../secrets/environment.ts'
import { sendsRepository } from './first-repository.ts'
import { ensureServiceKey } from './service-key.ts'

/**
 * Everything a new sandbox is born with: the document's SVC_* variables over the project's secrets. Mints the session's
 * tokens, so it is made once for each sandbox identity.
 */
export async function sandboxEnvironment(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'settings' | 'now' | 'newId'>,
  project: ProjectRow,
  session: sessions.SessionView,
): Promise<Record<string, string>> {
  const { session_id, project_id } = session
  const [secrets, initial, service_key, project_token, continues, models] = await Promise.all([
    sessionSecrets(ctx, ctx.db, project, session),
    sessionPrompts.findInitial(ctx.db, session_id),
    ensureServiceKey(ctx, project, session_id),
    mintSessionToken(ctx, session, 'session'),
    sessionEvents.hasConversation(ctx.db, session_id),
    hasFeature(ctx.db, project_id, 'model_gateway'),
  ])
  const { api_url, llm_base_url, ask_timeout_seconds } = ctx.settings
  return {
    ...secrets.values,
    SVC_PROJECT_ID: project_id,
    SVC_SESSION_ID: session_id,
    SVC_BRANCH_NAME: session.branch_name,
    SVC_REPO_URL: cloneUrl(ctx.settings, project),
    SVC_DEFAULT_BRANCH: project.default_branch,
    SVC_BASE_REF: session.base_ref,
    SVC_SERVICE_PORT: '8000',
    SVC_API_URL: api_url,
    SVC_AGENT_NAME: session.agent_name,
    SVC_PROJECT_AUTO_CLONE: '1',
    SVC_PROJECT_SECRET_NAMES: Object.keys(secrets.values).join(','),
    SVC_PROJECT_SECRETS_REVISION: secrets.revision,
    SVC_SANDBOX_TOKEN: service_key,
    SVC_TOKEN: service_key,
    SVC_CLI_TOKEN: project_token,
    SVC_EXECUTOR_TOKEN: project_token,
    SVC_BOOTSTRAP_AGENTRT_SESSION: '1',
    SVC_ASK_TIMEOUT_SECONDS: String(ask_timeout_seconds),
    ...(continues ? { SVC_SESSION_CONTINUES: '1' } : {}),
    ...(session.started_at === null && !continues ? { SVC_SESSION_IS_NEW: '1' } : {}),
    ...(sendsRepository(project, session) && !continues ? { SVC_REPOSITORY_SENT: '1' } : {}),
    // Monitors work on what is released, and save nothing of it.
    ...(session.requested.monitors
      ? { SVC_MONITORS: '1', SVC_BRANCH_NAME: project.default_branch, SVC_SESSION_IS_NEW: '1' }
      : {}),
    ...(session.requested.runtime === undefined ? {} : { SVC_RUNTIME: session.requested.runtime }),
    SVC_AGENT_SKILLS: JSON.stringify(session.requested.skills ?? 'all'),
    ...(session.requested.connectors === undefined || session.requested.connectors.length === 0
      ? {}
      : { SVC_CONNECTORS: JSON.stringify(session.requested.connectors) }),
    ...(session.model === null ? {} : { SVC_AGENTRT_MODEL: session.model }),
    ...(initial?.state !== 'pending'
      ? {}
      : { SVC_INITIAL_PROMPT: initial.text, SVC_INITIAL_PROMPT_ID: initial.prompt_id }),
    ...(session.requested.runtime_context === undefined
      ? {}
      : { SVC_RUNTIME_CONTEXT: JSON.stringify(session.requested.runtime_context) }),
    ...(llm_base_url === null || !models || session.requested.monitors
      ? {}
      : { SVC_LLM_BASE_URL: llm_base_url, SVC_LLM_API_KEY: await mintSessionToken(ctx, session, 'gateway') }),
  }
}

async function mintSessionToken(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  session: sessions.SessionView,
  kind: 'session' | 'gateway',
): Promise<string> {
  const { session_id, project_id } = session
  const { secret } = await mintToken(ctx, ctx.db, {
    kind,
    name: `${kind} ${session_id}`,
    user_id: session.created_by,
    project_id,
    session_id,
  })
  return secret
}
