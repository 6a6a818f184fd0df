import { createHash } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeHarnessStore } from '../../harness/store/places.ts'
import { defaultLimits } from '../../shared/default-limits.ts'
import type { ProviderLog } from '../../shared/provider-log.ts'
import { externalIdOf, loadKey } from '../../shared/external-id.ts'
import { withLock } from '../../shared/lock.ts'
import { type RootPaths, rootPaths } from '../../shared/root-paths.ts'
import { assembleTools } from '../../shared/tools/tools.ts'
import { type Egress, platformOnly } from '../../network/egress.ts'
import type { SandboxLimits, SandboxTemplate } from '../../provider.ts'
import { SandboxError } from '../../sandbox-error.ts'
import { deploymentLabel } from './containers/containers.ts'
import { type Engine, type EngineFacts, engineFacts, openEngine } from '../../engine/engine.ts'
import type { DockerProviderOptions } from './options.ts'
import { imagesFolder, requireShortRoot } from './paths.ts'
import { createImageUses, type ImageUses } from './images/prune-images.ts'
import { destinationsOf } from '../../network/reach.ts'
import { isForeignAddress } from './relay/forwards.ts'
import { ensureProgramImage, type ProgramImageMade } from './images/program-image.ts'
import { ensureTemplateImage } from './images/template-image.ts'
import { type ImageTools, readImageTools } from './images/tools-image.ts'

/** The provider's own view of its engine, found out once when it opens. */
export interface DockerHost {
  readonly options: DockerProviderOptions
  readonly paths: RootPaths
  readonly engine: Engine
  readonly facts: EngineFacts
  readonly tools: ImageTools
  readonly egress: Egress
  readonly default_limits: SandboxLimits
  /** The knowledge so far of whether the engine's storage holds containers to a size. */
  readonly disk: { by_engine: boolean }
  readonly log: ProviderLog
  /** On every container: providers of other deployments, and of other folders, have another one. */
  readonly deployment: string
  readonly image_uses: ImageUses
  externalId(sandboxId: string): string
  /** The name of the image for a template, built or fetched when it is not there. */
  imageFor(template: SandboxTemplate | null): Promise<string>
  /** The image for a program of any image, made of it when it is not there. */
  programImageFor(name: string): Promise<ProgramImageMade>
}

export async function openDockerHost(options: DockerProviderOptions): Promise<DockerHost> {
  requireShortRoot(options.root)
  requireReachablePlatform(options.api_url)
  const engine = await openEngine(options.engine_url)
  const facts = await engineFacts(engine, options.engine_url)
  const { runtime } = options
  if (runtime !== undefined && !facts.runtimes.includes(runtime)) {
    throw new SandboxError(
      'internal',
      `The Docker engine has no runtime ${runtime} (SVC_DOCKER_RUNTIME); it has ${facts.runtimes.join(', ')}.`,
    )
  }
  const paths = rootPaths(options.root)
  await mkdir(paths.root, { recursive: true })
  await chmod(paths.root, 0o700)
  for (const folder of [paths.locks, paths.tools]) await mkdir(folder, { recursive: true, mode: 0o700 })
  await makeHarnessStore(options.harnesses)
  const tools = await readImageTools(await assembleTools(paths.tools, options.tools), options.boot_bundle)
  const key = await loadKey(paths.root)
  const keyMark = createHash('sha256').update(key).digest('hex').slice(0, 12)
  const deployment = `${options.scope}-${keyMark}`
  const image_uses = createImageUses(imagesFolder(paths.root))
  const default_limits = options.default_limits ?? defaultLimits()
  const imageFor = (template: SandboxTemplate | null): Promise<string> =>
    ensureTemplateImage(
      {
        engine,
        tools,
        options: { ...options, default_limits },
        labels: { [deploymentLabel]: deployment },
        uses: image_uses,
        locks: paths.locks,
        withLock,
      },
      template,
    )
  const programImageFor = (name: string): Promise<ProgramImageMade> =>
    withLock(join(paths.locks, `image-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`), () =>
      ensureProgramImage(
        { engine, tools, labels: { [deploymentLabel]: deployment }, uses: image_uses },
        name,
      ),
    )
  await imageFor(null)
  return {
    options,
    paths,
    engine,
    facts,
    tools,
    egress: options.egress ?? platformOnly,
    default_limits,
    disk: { by_engine: true },
    log: options.log,
    deployment,
    image_uses,
    externalId: (sandboxId) => externalIdOf(key, options.scope, sandboxId),
    imageFor,
    programImageFor,
  }
}

/** A sandbox without a network device knows the platform by a name, or on loopback. */
function requireReachablePlatform(api_url: string): void {
  const foreign = destinationsOf({ SVC_API_URL: api_url }).find(({ host }) => isForeignAddress(host))
  if (foreign === undefined) return
  throw new SandboxError(
    'internal',
    `Sandboxes of the docker provider have no network and cannot call ${foreign.host}: give SVC_PUBLIC_URL a name instead of an address.`,
  )
}
