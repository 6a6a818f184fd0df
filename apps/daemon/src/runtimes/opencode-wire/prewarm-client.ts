import { prewarmNames, type PrewarmFixture } from '../standby/prewarm-target.ts'
import type { RuntimeClient } from '../runtime.ts'
import { createWireClient } from './client.ts'
import { createTranslator } from './translate.ts'

/** Speaks with a process that prewarms, in the project of the fixture. */
export function prewarmClient(
  { host, port }: { readonly host: string; readonly port: number },
  authorization: string,
  { workspace }: PrewarmFixture,
): RuntimeClient {
  const root: { current: string | null } = { current: null }
  const { provider, model, agent } = prewarmNames
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
