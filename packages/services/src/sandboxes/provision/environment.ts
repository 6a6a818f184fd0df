import { type BaseContext, newToken } from '@svc/context'
import type { Db, ProjectRow, sessions } from '@svc/db'
import { newSandboxes } from '@svc/db'
import { channelFiles } from '@svc/db/channels'
import { apiWait, defaultRuntime } from '@svc/facts'
import { type HarnessLaunch, harnessVariable } from '@svc/harness'
import { firstPromptKey } from '@svc/session'
import { cloneUrl } from '../../projects/present.ts'
import { personalOwner, sessionSecrets } from '../../secrets/environment.ts'
import { sendsRepository } from './first-repository.ts'
import { newServiceKey } from './service-key.ts'
import { policyOf } from '../../harnesses/policy-of.ts'

/** Linux holds a variable to 128 KiB; a longer first prompt comes as the later ones do, once the sandbox runs. */
const maxVariableBytes = 64 * 1024

/**
 * The whole environment that a new sandbox starts with: the platform's SVC_* variables over the project's secrets.
 * Mints the session's tokens, so it is made once for each sandbox identity.
 */
export async function sandboxEnvironment(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'settings' | 'session_models' | 'now' | 'newId'>,
  project: ProjectRow,
  session: sessions.SessionView,
  /** Its harness; null for a runtime with a server of its own. */
  launch: HarnessLaunch | null,
): Promise<Record<string, string>> {
  const { session_id, project_id } = session
  const personal_of = personalOwner(session)
  const found = await newSandboxes.read(ctx.db, { session_id, project_id, personal_of })
  const { initial_prompt, has_conversation: continues, sealed_service_key } = found
  const isLate =
    Buffer.byteLength(initial_prompt?.text ?? '') > maxVariableBytes || (await hasFiles(ctx.db, session))
  const initial = isLate ? null : initial_prompt
  const secrets = await sessionSecrets(ctx, ctx.db, project, session, found)
  const { key: service_key, columns } = newServiceKey(ctx, project, { session_id, sealed_service_key })
  const { api_url, api_wait_seconds, llm_base_url, ask_timeout_seconds } = ctx.settings
  const pays = launch === null || launch.auth === 'gateway'
  const project_token = sessionToken(ctx, session, 'session')
  const gateway_token =
    llm_base_url === null || !found.has_gateway || !pays || session.requested.monitors
      ? null
      : sessionToken(ctx, session, 'gateway')
  const model = gateway_token === null ? session.model : await modelFor(ctx, session)
  const { has_prompt } = await newSandboxes.write(ctx.db, {
    session_id,
    service_key: columns,
    tokens: [project_token.row, ...(gateway_token === null ? [] : [gateway_token.row])],
    access: secrets.access,
    prompt: initial && { prompt_id: initial.prompt_id, updated_at: ctx.now() },
  })
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
    SVC_CLI_TOKEN: project_token.secret,
    SVC_EXECUTOR_TOKEN: project_token.secret,
    SVC_BOOTSTRAP_AGENTRT_SESSION: '1',
    SVC_ASK_TIMEOUT_SECONDS: String(ask_timeout_seconds),
    ...(api_wait_seconds === undefined ? {} : { [apiWait.variable]: String(api_wait_seconds) }),
    ...(continues ? { SVC_SESSION_CONTINUES: '1' } : {}),
    ...(session.started_at === null && !continues ? { SVC_SESSION_IS_NEW: '1' } : {}),
    ...(sendsRepository(project, session) && !continues ? { SVC_REPOSITORY_SENT: '1' } : {}),
    // Monitors work on the default branch, and their work is not saved.
    ...(session.requested.monitors
      ? { SVC_MONITORS: '1', SVC_BRANCH_NAME: project.default_branch, SVC_SESSION_IS_NEW: '1' }
      : {}),
    SVC_RUNTIME: session.requested.runtime ?? defaultRuntime,
    ...(launch === null
      ? {}
      : {
          [harnessVariable]: JSON.stringify(launch),
          SVC_HARNESS_SILENCE_SECONDS: String(policyOf(ctx.settings).silence_seconds),
        }),
    SVC_AGENT_SKILLS: JSON.stringify(session.requested.skills ?? 'all'),
    ...(session.requested.connectors === undefined || session.requested.connectors.length === 0
      ? {}
      : { SVC_CONNECTORS: JSON.stringify(session.requested.connectors) }),
    ...(model === null ? {} : { SVC_AGENTRT_MODEL: model }),
    ...(initial && has_prompt
      ? { SVC_INITIAL_PROMPT: initial.text, SVC_INITIAL_PROMPT_ID: initial.prompt_id }
      : {}),
    ...(session.requested.runtime_context === undefined
      ? {}
      : { SVC_RUNTIME_CONTEXT: JSON.stringify(session.requested.runtime_context) }),
    ...(llm_base_url === null || gateway_token === null
      ? {}
      : { SVC_LLM_BASE_URL: llm_base_url, SVC_LLM_API_KEY: gateway_token.secret }),
  }
}

/** A first prompt with files comes once they are in the sandbox. Only one from a channel has any. */
const hasFiles = async (db: Db, { session_id, origin }: sessions.SessionView): Promise<boolean> =>
  origin === 'channel' &&
  (await channelFiles.ofPrompt(db, { session_id, prompt_key: firstPromptKey })).length > 0

/** A model that the gateway offers is asked of the gateway; another one is left to the project's own secret. */
async function modelFor(
  { db, session_models }: Pick<BaseContext, 'db' | 'session_models'>,
  { project_id, agent_name, model }: sessions.SessionView,
): Promise<string | null> {
  if (model === null) return null
  const offered = await session_models?.find(db, { project_id, agent_name, model })
  return offered?.kind === 'offered' ? `svc/${offered.name}` : model
}

function sessionToken(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  session: sessions.SessionView,
  kind: 'session' | 'gateway',
) {
  const { session_id, project_id } = session
  return newToken(ctx, {
    kind,
    name: `${kind} ${session_id}`,
    user_id: session.created_by,
    project_id,
    session_id,
  })
}
