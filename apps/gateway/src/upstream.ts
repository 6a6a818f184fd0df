import { type DeadlineEnv, type Deadlines, deadlinesOf } from './upstream/deadlines.ts'

/** Any OpenAI-compatible endpoint that the operator names. */
export interface Upstream {
  readonly base_url: string
  readonly api_key: string | null
  /** The id that is offered, and sent as it is. */
  readonly model: string
  readonly deadlines: Deadlines
}

export interface UpstreamEnv {
  readonly SVC_MODEL_BASE_URL?: string | undefined
  readonly SVC_MODEL_API_KEY?: string | undefined
  readonly SVC_MODEL?: string | undefined
}

/** The endpoint that the environment names; null for the demo model. */
export function upstreamOf(env: UpstreamEnv & DeadlineEnv): Upstream | null {
  const { SVC_MODEL_BASE_URL: base_url, SVC_MODEL_API_KEY: api_key = null, SVC_MODEL: model } = env
  if (base_url === undefined || model === undefined) return null
  return { base_url, api_key, model, deadlines: deadlinesOf(env) }
}
