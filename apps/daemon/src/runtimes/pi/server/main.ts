import { serve } from '@hono/node-server'
import { useProxy } from '../../../network/use-proxy.ts'
import { createConversations } from './conversations.ts'
import { awaitEnvironment, waitsVariable } from './late-environment.ts'
import { createRoutes } from './routes.ts'
import { takeSettings } from './settings.ts'

/** The runtime `pi` as a server: the same routes on the same port as any other runtime of the daemon. */
async function main(): Promise<void> {
  if (process.env[waitsVariable] !== undefined) await awaitEnvironment()
  process.env['PI_OFFLINE'] = '1'
  process.env['PI_TELEMETRY'] = '0'
  const settings = takeSettings(process.env)
  await useProxy(settings.gateway === null ? [] : [settings.gateway.base_url], process.env)
  const conversations = createConversations(settings)
  const app = createRoutes(settings, conversations)
  const server = serve({ fetch: app.fetch, hostname: settings.host, port: settings.port }, ({ port }) => {
    process.stdout.write(`pi listening on http://${settings.host}:${port}\n`)
  })
  const stop = (): void => {
    server.close()
    void conversations.close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

await main()
