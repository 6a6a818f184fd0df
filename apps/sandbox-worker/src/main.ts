import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsError } from '@svc/boot'
import { runDeployable, watchDisks } from '@svc/platform'
import {
  bootBundle,
  chooseProvider,
  doorProblem,
  openMetricsProblem,
  providerBehindDoor,
  sandboxChoice,
  sandboxTools,
} from '@svc/sandbox/providers'
import { readEnv } from './env.ts'
import { harnessLocks, openHarnessInstaller } from './harness-installer.ts'
import { warmPoolOf } from './pool-key.ts'
import { startSandboxWorker } from './start.ts'

const appDir = dirname(dirname(fileURLToPath(import.meta.url)))

await runDeployable({
  name: 'sandbox-worker',
  readEnv,
  start: async (platform, env, lifecycle, metrics) => {
    watchDisks(metrics, { sandboxes: env.SVC_SANDBOXES_DIR })
    const { log, settings } = platform.ctx
    const tools = sandboxTools(appDir, {
      agent_bundle: env.SVC_AGENT_BUNDLE,
      cli_folder: env.SVC_CLI_FOLDER,
      runtime_binaries: env,
    })
    const { provider: chosen, why } = await chooseProvider({
      ...sandboxChoice(env, {
        ...{ api_url: settings.api_url, tools },
        boot_bundle: env.SVC_BOOT_BUNDLE ?? bootBundle(appDir),
      }),
      root: env.SVC_SANDBOXES_DIR,
      scope: env.SVC_DEPLOYMENT,
      log: (level, message, details) => log[level](details ?? {}, message),
    })
    const { name, ...description } = chosen.describe()
    log.info({ provider: name, ...description }, why)
    const problem = openMetricsProblem(chosen, env.SVC_METRICS_TOKEN) ?? doorProblem(env)
    if (problem !== null) throw new SettingsError([problem])
    const { provider, close } = await providerBehindDoor(chosen, env, (path) =>
      log.warn({ path }, 'A request without the key of its sandbox was refused'),
    )
    lifecycle.defer('door', close)
    const worker = startSandboxWorker(platform, provider, {
      concurrency: env.SVC_SANDBOX_CONCURRENCY,
      door: env.SVC_SANDBOX_LISTEN !== undefined,
      harnesses: openHarnessInstaller({
        ...{ sandboxes: env.SVC_SANDBOXES_DIR, locks: harnessLocks(appDir) },
        env: process.env,
      }),
      warm_pool: warmPoolOf({
        size: env.SVC_WARM_POOL_SIZE,
        runtime: env.SVC_WARM_POOL_RUNTIME,
        provider,
        deployment: env.SVC_DEPLOYMENT,
        folder: env.SVC_SANDBOXES_DIR,
        tools,
        addresses: [settings.api_url, settings.llm_base_url],
      }),
    })
    // Sandboxes go on while their worker is replaced: the next one manages them.
    lifecycle.defer('worker', (force) => worker.close({ stop_sandboxes: false, force }))
    return { checks: { provider: () => provider.list() } }
  },
})
