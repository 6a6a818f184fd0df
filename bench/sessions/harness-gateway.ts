import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, migrate } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { z } from 'zod'
import { startScriptedModel } from '../../apps/daemon/tests/support/scripted-model.ts'
import { startChild, stopChild } from '../child.ts'
import { makeScene } from '../gateway/scene.ts'

const nothing = (): void => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: console.error }

export interface BenchGateway {
  /** The address and the key by which both sides ask, and the model that an agent starts with. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The platform's gateway in a process of its own, with a budget to keep, before a model that answers at once. */
export async function startBenchGateway(): Promise<BenchGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-harness-gateway-'))
  const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
  await migrate(postgres.connection_string)
  const db = createDatabase(postgres.connection_string)
  const model = await startScriptedModel('127.0.0.1')
  model.on('hello', [{ text: 'Hello there. ' }])
  const key = await makeScene(db, new URL(model.baseUrl).origin)
  const gateway = startChild(new URL('../../apps/gateway/tests/kills/run-gateway.ts', import.meta.url), [
    postgres.connection_string,
  ])
  const [message] = await once(gateway, 'message')
  const { port } = z.object({ port: z.number() }).parse(message)
  return {
    environment: {
      SVC_LLM_BASE_URL: `http://127.0.0.1:${port}/v1/llm`,
      SVC_LLM_API_KEY: key,
      SVC_AGENTRT_MODEL: 'acme/m1',
    },
    close: async () => {
      await stopChild(gateway)
      await model.close()
      await db.destroy()
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
