import { createLifecycle, createLogger, createMetrics, settingsOrExit, startInternalServer } from '@svc/boot'
import { dockerRoot, harnessStore, openEngineGate } from '@svc/sandbox/engine-gate'
import { readEnv } from './env.ts'

const env = settingsOrExit('engine-gate', readEnv)
const log = createLogger({ name: 'engine-gate', level: env.SVC_LOG_LEVEL })
const lifecycle = createLifecycle(log)

await lifecycle.run(async () => {
  const gate = await openEngineGate({
    engine_url: env.SVC_DOCKER_HOST,
    listen: env.SVC_ENGINE_GATE_SOCKET,
    root: dockerRoot(env.SVC_SANDBOXES_DIR),
    harnesses: harnessStore(env.SVC_SANDBOXES_DIR),
    scope: env.SVC_DEPLOYMENT,
    runtime: env.SVC_DOCKER_RUNTIME,
    build_network: env.SVC_DOCKER_BUILD_NETWORK,
    log: (level, message, details) => log[level](details ?? {}, message),
  })
  lifecycle.defer('gate', () => gate.close())
  const internal = await startInternalServer({
    host: env.SVC_INTERNAL_HOST,
    port: env.SVC_INTERNAL_PORT,
    checks: { engine: () => gate.check() },
    metrics: createMetrics('engine-gate'),
    metrics_token: env.SVC_METRICS_TOKEN,
  })
  lifecycle.defer('internal', () => internal.close())
  log.info({ socket: env.SVC_ENGINE_GATE_SOCKET }, 'Listening')
})
