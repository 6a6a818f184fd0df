import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLifecycle, createLogger, settingsOrExit } from '@svc/boot'
import { readEnv } from './env.ts'
import { startPlatform } from './platform.ts'
import { readyText } from './ready-text.ts'
import { loadSettingsFile } from './settings-file.ts'
import { StartError } from './start-error.ts'

const started = performance.now()
const appDir = dirname(dirname(fileURLToPath(import.meta.url)))
loadSettingsFile(process.env.SVC_DATA_DIR)
const env = settingsOrExit('svc', readEnv)
const log = createLogger({ name: 'svc', level: env.SVC_LOG_LEVEL, pretty: true })
const lifecycle = createLifecycle(log)
let refused = false
// Opened first, so closed last.
lifecycle.defer('farewell', () => {
  if (!refused) process.stdout.write('  svc has stopped; nothing of it is running.\n')
})
await lifecycle.run(async () => {
  try {
    const running = await startPlatform(env, appDir, log, lifecycle)
    process.stdout.write(readyText(running, performance.now() - started))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    refused = true
    process.stderr.write(`${error.message}\n`)
    await lifecycle.stop('the start failed', 1)
  }
})
