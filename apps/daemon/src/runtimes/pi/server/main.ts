import { useProxy } from '../../../network/use-proxy.ts'
import { awaitEnvironment, standbyVariable } from './late-environment.ts'
import { openServer } from './open-server.ts'
import { takeSettings } from './settings.ts'

/** pi talks to no servers but those of models, and to the platform where the session has connectors. */
function settingsOf(env: NodeJS.ProcessEnv) {
  env['PI_OFFLINE'] = '1'
  env['PI_TELEMETRY'] = '0'
  return takeSettings(env)
}

/** The runtime `pi` as a server: the same routes on the same port as any other runtime of the daemon. */
async function main(): Promise<void> {
  if (process.env[standbyVariable] !== undefined)
    await awaitEnvironment(() => openServer(settingsOf(process.env)))
  const settings = settingsOf(process.env)
  const { gateway, executor } = settings
  const called = [...(gateway === null ? [] : [gateway.base_url]), ...(executor ? [executor.url] : [])]
  await useProxy(called, process.env)
  const server = await openServer(settings)
  process.stdout.write(`pi listening on http://${settings.host}:${settings.port}\n`)
  const stop = (): void => void server.close().finally(() => process.exit(0))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

main().catch((error: unknown) => {
  process.stderr.write(`pi: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
})
