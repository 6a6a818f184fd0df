#!/usr/bin/env node
/**
 * The image of sandboxes on Kubernetes: a base image with the tools of this checkout on top, as the docker provider makes
 * it for itself. Needs a Docker engine and a built checkout (npm run setup).
 *
 *   node infra/kubernetes/make-image.mjs <base image> <name:tag>      (DOCKER_HOST names the engine)
 *
 * Push the result to a registry that the cluster's nodes can pull from. A template's image is made the same way, from
 * whatever image the project works in.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tsImport } from 'tsx/esm/api'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const load = (path) => tsImport(join(root, path), import.meta.url)

/** `sources` and `boot_bundle` are the built ones of this checkout unless others are given. */
export async function makeSandboxImage({ host, base, name, sources, boot_bundle }) {
  const { openEngine } = await load('packages/sandbox/src/providers/docker/engine/engine.ts')
  const { ensureToolsImage, readImageTools } = await load(
    'packages/sandbox/src/providers/docker/images/tools-image.ts',
  )
  const { assembleTools } = await load('packages/sandbox/src/shared/tools/tools.ts')
  const worker = await load('apps/sandbox-worker/src/tools.ts')
  const app = join(root, 'apps/sandbox-worker')
  const folder = mkdtempSync(join(tmpdir(), 'svc-image-'))
  try {
    const tools = await assembleTools(folder, sources ?? worker.sandboxTools(app))
    const engine = await openEngine(host)
    const from = await engine.find('Looking for the base image', () => engine.docker.getImage(base).inspect())
    if (from === null) throw new Error(`The engine has no image ${base}: pull or make it first.`)
    const parts = await readImageTools(tools, boot_bundle ?? worker.bootBundle(app))
    const made = await ensureToolsImage(engine, parts, { id: from.Id, name: base }, {})
    const colon = name.lastIndexOf(':')
    const [repo, tag] =
      colon > name.lastIndexOf('/') ? [name.slice(0, colon), name.slice(colon + 1)] : [name, 'latest']
    await engine.docker.getImage(made).tag({ repo, tag })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [base, name] = process.argv.slice(2)
  if (base === undefined || name === undefined) {
    process.stderr.write('usage: node infra/kubernetes/make-image.mjs <base image> <name:tag>\n')
    process.exit(2)
  }
  await makeSandboxImage({ host: process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock', base, name })
  process.stdout.write(`${name}\n`)
}
