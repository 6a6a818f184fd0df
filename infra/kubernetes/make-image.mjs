#!/usr/bin/env node
/**
 * The image of sandboxes on Kubernetes: a base image with the tools of this checkout on top, as the docker provider makes
 * it for itself, and with the harnesses that sessions are to have. Needs a Docker engine and a built checkout (npm run setup).
 *
 *   node infra/kubernetes/make-image.mjs <base image> <name:tag> [--harness claude,codex]      (DOCKER_HOST names the engine)
 *
 * Push the result to a registry that the cluster's nodes can pull from, and give the sandbox-worker the variable that is
 * printed for its harnesses. A template's image is made the same way, from whatever image the project works in.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { tsImport } from 'tsx/esm/api'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const load = (path) => tsImport(join(root, path), import.meta.url)
const images = 'packages/sandbox/src/providers/docker/images'

/**
 * `sources` and `boot_bundle` are the built ones of this checkout unless others are given; `harnesses` are installs, each
 * with its `name`, `version` and `folder`.
 */
export async function makeSandboxImage({ host, base, name, sources, boot_bundle, harnesses = [] }) {
  const { openEngine } = await load('packages/sandbox/src/engine/engine.ts')
  const { ensureToolsImage, readImageTools } = await load(`${images}/tools-image.ts`)
  const { makeHarnessImage } = await load(`${images}/harness-image.ts`)
  const { assembleTools } = await load('packages/sandbox/src/shared/tools/tools.ts')
  const worker = await load('packages/sandbox/src/settings/tools.ts')
  const app = join(root, 'apps/sandbox-worker')
  const folder = mkdtempSync(join(tmpdir(), 'svc-image-'))
  try {
    const tools = await assembleTools(folder, sources ?? worker.sandboxTools(app))
    const engine = await openEngine(host)
    const from = await engine.find('Looking for the base image', () => engine.docker.getImage(base).inspect())
    if (from === null) throw new Error(`The engine has no image ${base}: pull or make it first.`)
    const parts = await readImageTools(tools, boot_bundle ?? worker.bootBundle(app))
    const made = await ensureToolsImage(engine, parts, { id: from.Id, name: base }, {})
    if (harnesses.length > 0) return await makeHarnessImage(engine, { from: made, tag: name, harnesses })
    const colon = name.lastIndexOf(':')
    const [repo, tag] =
      colon > name.lastIndexOf('/') ? [name.slice(0, colon), name.slice(colon + 1)] : [name, 'latest']
    await engine.docker.getImage(made).tag({ repo, tag })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Installs these harnesses into `store`, each in the version that this release pins. */
export async function installHarnesses(store, names) {
  const { harnessTarget, installHarness } = await load('packages/sandbox/src/providers/index.ts')
  const { knownHarness, knownHarnesses, pinnedVersion } = await load('packages/harness/src/index.ts')
  const node_major = Number(process.versions.node.split('.')[0])
  const versionOf = (name) => {
    const known = knownHarness(name)
    return known === undefined ? null : pinnedVersion(known, node_major)
  }
  const installed = []
  for (const name of names) {
    const version = versionOf(name)
    if (version === null) {
      const there = knownHarnesses.map((known) => known.name).filter((one) => versionOf(one) !== null)
      throw new Error(`${name} is no harness that is installed: name one of ${there.join(', ')}.`)
    }
    const lock_folder = join(root, 'packages/harness/locks', name, version)
    const target = harnessTarget()
    const { folder } = await installHarness({ store, name, version, target, lock_folder, env: process.env })
    installed.push({ name, version, folder })
  }
  return installed
}

async function main(args) {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { harness: { type: 'string', default: '' } },
  })
  const [base, name] = positionals
  if (base === undefined || name === undefined)
    throw new Error(
      'usage: node infra/kubernetes/make-image.mjs <base image> <name:tag> [--harness claude,codex]',
    )
  const host = process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock'
  const store = mkdtempSync(join(tmpdir(), 'svc-harnesses-'))
  try {
    const names = values.harness.split(',').filter((one) => one !== '')
    const harnesses = await installHarnesses(store, names)
    await makeSandboxImage({ host, base, name, harnesses })
    process.stdout.write(`${name}\n`)
    const held = harnesses.map((one) => `${one.name}@${one.version}`).join(',')
    if (held !== '') process.stdout.write(`SVC_KUBERNETES_HARNESSES=${held}\n`)
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  })
