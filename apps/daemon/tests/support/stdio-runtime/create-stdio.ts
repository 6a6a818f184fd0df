import { createInterface } from 'node:readline'
import { gatewayProvider } from '../../../src/runtimes/gateway-names.ts'
import { becomeReady, followProcess, spawnRuntime } from '../../../src/runtimes/process.ts'
import type { CreateRuntime } from '../../../src/runtimes/runtime.ts'
import { createRuntimeBase } from '../../../src/runtimes/runtime-base.ts'
import { createStdioClient } from './stdio-client.ts'

/** A runtime that has no server and speaks nothing of what the others speak. */
export const createStdio: CreateRuntime = (parts) => {
  const base = createRuntimeBase(parts)
  const { workspace, gateway } = parts
  const modelOf = (asked: string | undefined): string | undefined =>
    (asked ?? gateway.model ?? gateway.fallback)?.replace(`${gatewayProvider}/`, '')
  return {
    name: 'stdio',
    begins_early: false,
    arrived: async () => undefined,
    settle: async () => (await base.compare()).stale,
    start: async ({ env, owner, ...limits }) => {
      const settings = await base.begin(env)
      const command = { file: 'stdio', args: [], cwd: workspace, env: base.environment(env, settings) }
      const spawned = spawnRuntime(owner, command)
      const { onLine, ...process } = followProcess(spawned)
      createInterface({ input: spawned.child.stderr }).on('line', onLine)
      const client = createStdioClient(spawned, modelOf)
      await becomeReady(process, client.healthy(), limits)
      return { ...process, client }
    },
  }
}
