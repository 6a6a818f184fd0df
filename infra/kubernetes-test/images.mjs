import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { makeSandboxImage } from '../kubernetes/make-image.mjs'
import { makeBaseImage } from '../sandbox-image/make-base-image.mjs'

const require = createRequire(new URL('../../packages/sandbox/package.json', import.meta.url))

export const images = {
  pause: 'svc-pause:1',
  base: 'svc-sandbox-base:1',
  sandbox: 'svc-sandbox-test:1',
  complete: 'svc-sandbox:1',
  harness: 'svc-sandbox-harness:1',
}

/** Those that the last of these images holds. */
export const harnessNames = ['gemini']

/**
 * The pods' first process, the sandbox image with the stub daemon of the suite in the place of the real one, and the
 * complete image of this checkout, as operators make it, without and with harnesses.
 */
export async function makeImages({ host, docker }, root, binaries, harnesses) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kubernetes-images-'))
  try {
    const context = join(folder, 'pause')
    mkdirSync(context)
    writeFileSync(
      join(context, 'Dockerfile'),
      'FROM scratch\nCOPY pause /pause\nUSER 65535:65535\nENTRYPOINT ["/pause"]\n',
    )
    cpSync(join(binaries, 'pause'), join(context, 'pause'))
    docker(['build', '-q', '-t', images.pause, context], { env: { ...process.env, DOCKER_BUILDKIT: '0' } })

    makeBaseImage({ host, tag: images.base })
    const { stubAgent } = await tsImport('../../packages/sandbox/src/testing/stub-agent.ts', import.meta.url)
    const agent = join(folder, 'agent.mjs')
    writeFileSync(agent, stubAgent)
    const boot_bundle = join(folder, 'svc-boot.mjs')
    await require('esbuild').build({
      entryPoints: [join(root, 'packages/sandbox/src/providers/docker/guest/boot.ts')],
      outfile: boot_bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
    await makeSandboxImage({
      host,
      base: images.base,
      name: images.sandbox,
      sources: { node: process.execPath, agent_bundle: agent, cli_folder: null, runtimes: { agentrt: null } },
      boot_bundle,
    })
    await makeSandboxImage({ host, base: images.base, name: images.complete })
    await makeSandboxImage({ host, base: images.base, name: images.harness, harnesses })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
