import { apiWait, apiWaitMs, defaultRuntime } from '@svc/facts'
import { z } from 'zod'
import { listenOf, originOf, placesOf } from './places.ts'
import { namesIn } from './runtimes/environment.ts'

/** A variable that is set to nothing counts as not set. */
const text = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value))
const port = (fallback: number) => z.coerce.number().int().min(1).max(65_535).default(fallback)

const Env = z.object({
  SVC_PROJECT_ID: z.uuid(),
  SVC_SESSION_ID: z.uuid(),
  SVC_SERVICE_PORT: port(8000),
  SVC_RUNTIME_PORT: port(4096),
  SVC_API_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  [apiWait.variable]: z
    .string()
    .optional()
    .transform((value, ctx) => {
      const ms = apiWaitMs(value, true)
      if (ms !== null) return ms
      ctx.addIssue({ code: 'custom', message: `must be a whole number from 0 to ${apiWait.max_seconds}` })
      return z.NEVER
    }),
  SVC_AGENT_NAME: text,
  SVC_AGENT_SKILLS: text,
  SVC_AGENTRT_MODEL: text,
  SVC_RUNTIME: text,
  SVC_INITIAL_PROMPT: text,
  SVC_INITIAL_PROMPT_ID: z.uuid().optional(),
  SVC_SESSION_CONTINUES: text,
  SVC_MONITORS: text,
  SVC_ASK_TIMEOUT_SECONDS: z.coerce.number().int().min(1).default(1800),
  SVC_PROJECT_SECRET_NAMES: text,
  SVC_SANDBOX_TOKEN: text,
  SVC_LLM_API_KEY: text,
  SVC_LLM_BASE_URL: text,
  SVC_SANDBOX_ID: text,
  SVC_RUN_DIR: text,
  SVC_LISTEN_FD: z.coerce.number().int().min(3).optional(),
})

export type DaemonEnv = ReturnType<typeof readEnv>

const Skills = z.union([z.literal('all'), z.array(z.string())])

/** The skills that the variable allows; null is every one. A value that cannot be read allows none. */
function skillsOf(said: string | undefined): readonly string[] | null {
  if (said === undefined) return null
  try {
    const skills = Skills.parse(JSON.parse(said))
    return skills === 'all' ? null : skills
  } catch {
    return []
  }
}

export function readEnv(source: NodeJS.ProcessEnv) {
  const parsed = Env.safeParse(source)
  if (!parsed.success)
    throw new Error(`The environment is not that of a sandbox.\n${z.prettifyError(parsed.error)}`)
  const env = parsed.data
  return {
    ...placesOf(source),
    ...originOf(source),
    project_id: env.SVC_PROJECT_ID,
    /** The time that a platform that is away is waited for. */
    api_wait_ms: env[apiWait.variable],
    session_id: env.SVC_SESSION_ID,
    agent_name: env.SVC_AGENT_NAME,
    /** The skills that the agent may use; null is every one that there is. */
    skills: skillsOf(env.SVC_AGENT_SKILLS),
    model: env.SVC_AGENTRT_MODEL,
    /** The runtime that the default branch names. */
    runtime_name: env.SVC_RUNTIME ?? defaultRuntime,
    initial_prompt: env.SVC_INITIAL_PROMPT,
    initial_prompt_id: env.SVC_INITIAL_PROMPT_ID ?? env.SVC_SESSION_ID,
    /** The session was in another sandbox before. */
    continues: env.SVC_SESSION_CONTINUES === '1',
    /** No agent works here: the project's monitors do. */
    monitors: env.SVC_MONITORS === '1',
    ask_timeout_ms: env.SVC_ASK_TIMEOUT_SECONDS * 1000,
    secret_names: namesIn(env.SVC_PROJECT_SECRET_NAMES),
    service_key: env.SVC_SANDBOX_TOKEN,
    llm: env.SVC_LLM_BASE_URL === undefined ? null : { base_url: env.SVC_LLM_BASE_URL.replace(/\/+$/, '') },
    run_dir: env.SVC_RUN_DIR,
    sandbox_id: env.SVC_SANDBOX_ID,
    listen: listenOf(source),
    /** The environment that the session was started with: the runtime inherits it, less the daemon's own identity. */
    inherited: source,
  }
}
