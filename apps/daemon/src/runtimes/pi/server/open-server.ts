import { settled } from '@svc/timing'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { createConversations } from './conversations.ts'
import { createRoutes } from './routes.ts'
import type { PiSettings } from './settings.ts'

const closeMs = 500

/** pi's sessions behind the routes that the daemon knows, at the address of the settings. */
export async function openServer(settings: PiSettings): Promise<{ close(): Promise<void> }> {
  const conversations = createConversations(settings)
  const { fetch } = createRoutes(settings, conversations)
  const server = serve({ fetch, hostname: settings.host, port: settings.port })
  if (!server.listening) await once(server, 'listening')
  return {
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      await settled(closeMs, conversations.close())
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
