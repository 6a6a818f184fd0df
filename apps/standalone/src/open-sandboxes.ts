import type { Lifecycle, Logger } from '@svc/boot'
import { openAppPrograms } from '@svc/app-worker'
import { type Programs, SandboxError, type SandboxProvider } from '@svc/sandbox'
import {
  bootBundle,
  chooseProvider,
  sandboxChoice,
  sandboxTools,
  type ToolSources,
} from '@svc/sandbox/providers'
import type { DataDir } from './data-dir.ts'
import type { StandaloneEnv } from './env.ts'
import { StartError } from './start-error.ts'

export interface Sandboxes {
  readonly provider: SandboxProvider
  readonly why: string
  readonly tools: ToolSources
  readonly programs: Programs
  /** From now on another closes the provider. */
  handOver(): SandboxProvider
}

/**
 * Early in a start, as soon as the data directory is known to be this platform's alone: a start that is given up ends
 * the sandboxes that a killed platform left.
 */
export async function openSandboxes(
  env: StandaloneEnv,
  app_dir: string,
  data: DataDir,
  { origin, internal_url }: { readonly origin: string; readonly internal_url: string },
  log: Logger,
  lifecycle: Lifecycle,
): Promise<Sandboxes> {
  const tools = sandboxTools(app_dir, { runtime_binaries: env })
  const choice = sandboxChoice(env, {
    ...{ api_url: `${origin}/v1`, tools, boot_bundle: bootBundle(app_dir) },
    ...{ internal_urls: [internal_url], own_ports: [env.SVC_PORT] },
  })
  const { provider, why } = await chooseProvider({
    ...choice,
    root: data.sandboxes,
    scope: env.SVC_DEPLOYMENT,
    log: (level, message, details) => log[level](details ?? {}, message),
  }).catch((cause: unknown) => {
    if (cause instanceof SandboxError) throw new StartError(`No sandboxes here. ${cause.message}`, { cause })
    throw cause
  })
  const { name, ...description } = provider.describe()
  log.info({ provider: name, ...description }, why)
  const apps = await openAppPrograms({ ...choice, root: data.programs, deployment: env.SVC_DEPLOYMENT }, log)
  lifecycle.defer('programs of apps', (force) => apps.close({ stop_sandboxes: true, force }))
  let handed_over = false
  lifecycle.defer('sandboxes of before', async (force) => {
    if (!handed_over) await provider.close({ stop_sandboxes: true, force })
  })
  return {
    provider,
    why,
    tools,
    programs: apps.programs,
    handOver() {
      handed_over = true
      return provider
    },
  }
}
