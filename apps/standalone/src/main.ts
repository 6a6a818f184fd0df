import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLifecycle, createLogger, settingsOrExit } from '@svc/boot'
import { endWithNpm } from './end-with-npm.ts'
import { readEnv } from './env.ts'
import { startPlatform } from './platform.ts'
import { readyText } from './ready-text.ts'
import { loadSettingsFile } from './settings-file.ts'
import { StartError } from './start-error.ts'

const started = performance.now()
const appDir = dirname(dirname(fileURLToPath(import.meta.url)))
loadSettingsFile(process.env.SVC_DATA_DIR)
const env = settingsOrExit('svc', readEnv)
const log = createLogger({ name: 'svc', level: env.SVC_LOG_LEVEL, pretty: env.SVC_LOG_FORMAT === 'pretty' })
let ready = false
let refused = false
const lifecycle = createLifecycle(log, {
  notice_ms: env.SVC_DRAIN_SECONDS * 1_000,
  on_failed_start: (err) => {
    refused = true
    if (err instanceof StartError) process.stderr.write(`${err.message}\n`)
    else log.fatal({ err }, 'The start failed')
  },
})
endWithNpm(() => void lifecycle.stop('npm has ended'))
// Opened first, so closed last.
lifecycle.defer('farewell', () => {
  if (refused) return
  process.stdout.write(
    ready ? '  svc has stopped; nothing of it is running.\n' : '  svc was stopped before it was ready.\n',
  )
})
await lifecycle.run(async (stopping) => {
  const running = await startPlatform(env, appDir, log, lifecycle, stopping)
  ready = true
  process.stdout.write(readyText(running, performance.now() - started))
})
