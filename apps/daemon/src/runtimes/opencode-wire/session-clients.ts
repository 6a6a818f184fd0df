import { gatewayProvider } from '../gateway-names.ts'
import type { RuntimeClient, RuntimeParts } from '../runtime.ts'
import { createWireClient } from './client.ts'
import { createTranslator } from './translate.ts'

/** Makes a client for each process of a session. They share what was told already, so that nothing is told twice. */
export function sessionClients(parts: RuntimeParts): (authorization: string) => RuntimeClient {
  const { workspace, host, port, agent, gateway } = parts
  const root: { current: string | null } = { current: null }
  const translator = createTranslator({ root: () => root.current, workspace, now: Date.now })
  return (authorization) =>
    createWireClient({
      baseUrl: `http://${host}:${port}`,
      authorization,
      translator,
      root,
      defaults: { agent, model: gateway.model, fallback: gateway.fallback },
      qualify: gateway.qualify,
      gateway: gatewayProvider,
    })
}
