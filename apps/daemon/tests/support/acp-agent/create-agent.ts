import { agent as createApp, type AgentApp, RequestError } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { setOption } from './options.ts'
import { type Agent, afterAnswer, knownSession, newSession, optionsOf } from './open-session.ts'
import { runTurn } from './run-turn.ts'
import { type Session, say } from './session.ts'
import { initializeResponse } from './initialize-response.ts'

const GatewayMeta = z.object({
  gateway: z.object({ baseUrl: z.string(), headers: z.record(z.string(), z.string()).default({}) }),
})

/** The methods of the protocol. Those of a capability that is off are not known. */
export function createAgent(agent: Agent): AgentApp {
  const { settings } = agent.environment
  const sessionOf = (session_id: string): Session => {
    const session = agent.sessions.get(session_id)
    if (session === undefined) throw RequestError.sessionNotFound(session_id)
    return session
  }
  const app = createApp({ name: 'acp-agent' })
    .onRequest('initialize', ({ params }) => {
      agent.crash('initialize')
      agent.capabilities = params.clientCapabilities ?? {}
      return initializeResponse(settings)
    })
    .onRequest('session/new', async ({ params, client }) => {
      agent.crash('new_session')
      const session = newSession(agent, client, params)
      return { sessionId: session.id, configOptions: await optionsOf(agent, session) }
    })
    .onRequest('session/set_config_option', async ({ params }) => {
      const session = sessionOf(params.sessionId)
      setOption(session.conversation, await optionsOf(agent, session), params.configId, params.value)
      session.save()
      return { configOptions: await optionsOf(agent, session) }
    })
    .onRequest('session/prompt', async ({ params }) => {
      const session = sessionOf(params.sessionId)
      const response = await runTurn(session, params.prompt)
      followAnswer(agent, session)
      return response
    })
    .onNotification('session/cancel', ({ params }) => {
      if (!settings.fault.deaf_to_cancel) agent.sessions.get(params.sessionId)?.turn?.abort()
    })
  if (settings.resume) {
    app.onRequest('session/resume', async ({ params, client }) => {
      const session = await knownSession(agent, client, params, 'resume')
      return { configOptions: await optionsOf(agent, session) }
    })
  }
  if (settings.load) {
    app.onRequest('session/load', async ({ params, client }) => {
      const session = await knownSession(agent, client, params, 'load')
      return { configOptions: await optionsOf(agent, session) }
    })
  }
  if (settings.auth_gateway) {
    app.onRequest('authenticate', ({ params }) => {
      agent.crash('authenticate')
      const meta = GatewayMeta.safeParse(params._meta)
      if (params.methodId !== 'gateway' || !meta.success) {
        throw RequestError.invalidParams(undefined, 'The method is "gateway", with _meta.gateway')
      }
      const { baseUrl: base_url, headers } = meta.data.gateway
      agent.gateway = { base_url, headers }
    })
  }
  return app
}

/** Faults that begin when a prompt is answered. */
function followAnswer(agent: Agent, session: Session): void {
  const { late_updates, late_after_ms } = session.settings.fault
  if (late_updates > 0) {
    afterAnswer(async () => {
      const ids = Array.from({ length: late_updates }, (_, index) => index)
      for (const index of ids) await say(session, `late ${index} `, `late-${session.id}`)
    }, late_after_ms)
  }
  afterAnswer(() => agent.crash('after_answer'), 20)
}
