import { beforeEach } from 'vitest'
import { type BuiltCli, buildCli, type Result, type RunOptions } from './built-cli.ts'
import { projectId } from './records.ts'
import { type Route, startApi, type StubApi } from './stub-api.ts'

/** The built command, and an API that answers as a test says. They belong to one test file and end with it. */
export interface World {
  readonly cli: BuiltCli
  readonly api: StubApi
  /** The environment of somebody with a token of this API. */
  readonly outside: Readonly<Record<string, string>>
  /** The same in a project. */
  readonly env: Readonly<Record<string, string>>
  /** Runs the command in the project. */
  run(args: readonly string[], options?: RunOptions): Promise<Result>
  /** The body of the first call with this method. */
  bodyOf(method: string): unknown
}

/** Each test begins with these routes, and with no calls. */
export async function openWorld(routes: Readonly<Record<string, Route>> = {}): Promise<World> {
  const [cli, api] = await Promise.all([buildCli(), startApi(routes)])
  beforeEach(() => api.reset(routes))
  const outside = { SVC_CLI_TOKEN: 'svc_pat_a', SVC_API_URL: api.api_url }
  const env = { ...outside, SVC_PROJECT_ID: projectId }
  return {
    cli,
    api,
    outside,
    env,
    run: (args, options = {}) => cli.run(args, { ...options, env: { ...env, ...options.env } }),
    bodyOf: (method) => api.calls.find((call) => call.method === method)?.body,
  }
}
