import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Engine } from '../../src/engine/engine.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { containerName } from '../../src/providers/docker/containers/containers.ts'
import type { SandboxProvider } from '../../src/index.ts'
import { createDockerProvider, type DockerProviderOptions, harnessStore } from '../../src/providers/index.ts'
import type { StubTools } from '../../src/testing/index.ts'
import type { TestEngine } from './engine.ts'

export interface OpenedDocker {
  readonly root: string
  readonly provider: SandboxProvider
  readonly engine: Engine
  open(scope: string): Promise<SandboxProvider>
  dispose(): Promise<void>
}

const bootEntry = fileURLToPath(new URL('../../src/providers/docker/guest/boot.ts', import.meta.url))

/** The program that starts a sandbox, bundled as the sandbox-worker's build does it. */
export async function bundleBoot(outfile: string): Promise<void> {
  await build({
    entryPoints: [bootEntry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
}

export async function openDocker(
  stub: StubTools,
  { url, base_image }: TestEngine,
  changes: Partial<DockerProviderOptions> = {},
): Promise<OpenedDocker> {
  const root = await mkdtemp(join(tmpdir(), 'svc-docker-test-'))
  const boot_bundle = join(root, 'svc-boot.mjs')
  await bundleBoot(boot_bundle)
  const open = (scope: string) =>
    createDockerProvider({
      root: join(root, 'docker'),
      harnesses: harnessStore(root),
      scope,
      engine_url: url,
      base_image,
      tools: stub.sources,
      boot_bundle,
      api_url: 'http://127.0.0.1:1/v1',
      default_limits: { pids: 256, memory_mb: 512, disk_mb: 512 },
      log: () => undefined,
      grace_ms: 1_000,
      ...changes,
    })
  const provider = await open('here').catch(async (error: unknown) => {
    await rm(root, { recursive: true, force: true })
    throw error
  })
  return {
    root,
    provider,
    engine: await openEngine(url),
    open,
    dispose: async () => {
      await Promise.all((await provider.list()).map((external_id) => provider.destroy(external_id)))
      await provider.close({ stop_sandboxes: false })
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Runs a command in a sandbox behind the provider's back. */
export async function execIn({ engine }: OpenedDocker, external_id: string, command: string): Promise<void> {
  const container = engine.docker.getContainer(containerName(external_id))
  const exec = await container.exec({ Cmd: ['/bin/sh', '-c', command] })
  await exec.start({ Detach: true })
}

/** kill -9 of the daemon, found by the boot file on its command line; the pattern does not find itself. */
export function killDockerDaemon(opened: OpenedDocker, external_id: string): Promise<void> {
  const find =
    'for p in /proc/[0-9]*; do grep -q svc-[b]oot $p/cmdline 2>/dev/null && kill -9 ${p#/proc/}; done'
  return execIn(opened, external_id, find)
}
