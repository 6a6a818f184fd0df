import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseProvider } from '@svc/sandbox'
import { runDeployable } from '@svc/services'
import { readEnv } from './env.ts'
import { startSandboxWorker } from './start.ts'
import { sandboxTools } from './tools.ts'

const appDir = dirname(dirname(fileURLToPath(import.meta.url)))

await runDeployable({
  name: 'sandbox-worker',
  readEnv,
  start: async (platform, env, lifecycle) => {
    const { log, settings } = platform.ctx
    const { provider, why } = await chooseProvider({
      SVC_SANDBOX_PROVIDER: env.SVC_SANDBOX_PROVIDER,
      root: env.SVC_SANDBOXES_DIR,
      scope: env.SVC_DEPLOYMENT,
      api_url: settings.api_url,
      tools: sandboxTools(appDir, {
        agent_bundle: env.SVC_AGENT_BUNDLE,
        cli_folder: env.SVC_CLI_FOLDER,
        runtime_binary: env.SVC_RUNTIME_BINARY,
      }),
      log: (level, message, details) => log[level](details ?? {}, message),
    })
    log.info({ ...provider.describe() }, why)
    const worker = startSandboxWorker(platform, provider, { concurrency: env.SVC_SANDBOX_CONCURRENCY })
    // Sandboxes go on while their worker is replaced: the next one manages them.
    lifecycle.defer('worker', () => worker.close({ stop_sandboxes: false }))
  },
})
