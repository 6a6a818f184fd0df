import { rehearsed, type Stage } from '../rehearsal.ts'
import type { RuntimeClient } from '../runtime.ts'
import { createWireClient } from './client.ts'
import { createTranslator } from './translate.ts'

/** Speaks with a process that rehearses, in the project of the stage. */
export function rehearsalClient(
  { host, port }: { readonly host: string; readonly port: number },
  authorization: string,
  { workspace }: Stage,
): RuntimeClient {
  const root: { current: string | null } = { current: null }
  const { provider, model, agent } = rehearsed
  return createWireClient({
    baseUrl: `http://${host}:${port}`,
    authorization,
    directory: workspace,
    translator: createTranslator({ root: () => root.current, workspace, now: Date.now }),
    root,
    defaults: { agent, model: `${provider}/${model}`, fallback: undefined },
    qualify: (name) => name,
    gateway: provider,
  })
}
