import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxProvider } from '../../src/index.ts'
import { createProcessProvider, type ProcessProviderOptions } from '../../src/providers/index.ts'
import type { StubTools } from '../../src/testing/index.ts'

export interface Opened {
  readonly root: string
  readonly provider: SandboxProvider
  open(scope: string): Promise<SandboxProvider>
  dispose(): Promise<void>
}

/** A process provider over a folder of its own, and others over the same folder. */
export async function openProvider(
  stub: StubTools,
  isolation: ProcessProviderOptions['isolation'],
  changes: Partial<ProcessProviderOptions> = {},
): Promise<Opened> {
  const root = await mkdtemp(join(tmpdir(), 'svc-sandboxes-'))
  const open = (scope: string) =>
    createProcessProvider({
      root,
      scope,
      tools: stub.sources,
      isolation,
      api_url: 'http://127.0.0.1:1/v1',
      log: () => undefined,
      ...changes,
    })
  const provider = await open('here')
  return {
    root,
    provider,
    open,
    dispose: async () => {
      await Promise.all((await provider.list()).map((external_id) => provider.destroy(external_id)))
      await provider.close({ stop_sandboxes: false })
      await rm(root, { recursive: true, force: true })
    },
  }
}
