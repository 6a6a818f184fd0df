import { fileURLToPath } from 'node:url'
import { appWorkerSettings, openAppPrograms } from '@svc/app-worker'
import { createLogger, readSettings } from '@svc/boot'
import { bootBundle, sandboxChoice, sandboxTools } from '@svc/sandbox/providers'

const workerDir = fileURLToPath(new URL('../../../../app-worker', import.meta.url))

/** Ends the programs of apps, which outlive their app-worker: with the settings of that worker, whatever it ran them by. */
export async function endPrograms(source: Readonly<Record<string, string>>): Promise<void> {
  const env = readSettings(appWorkerSettings, source)
  const { SVC_PROGRAMS_DIR: root, SVC_DEPLOYMENT: deployment } = env
  if (root === undefined) return
  const place = {
    api_url: `${source['SVC_PUBLIC_URL']}/v1`,
    tools: sandboxTools(workerDir, { runtime_binaries: env }),
    boot_bundle: bootBundle(workerDir),
  }
  const log = createLogger({ name: 'journey', level: 'fatal' })
  const programs = await openAppPrograms({ ...sandboxChoice(env, place), root, deployment }, log)
  await programs.close({ stop_sandboxes: true })
}
