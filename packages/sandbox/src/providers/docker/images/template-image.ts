import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { withLock } from '../../../shared/lock.ts'
import type { SandboxLimits, SandboxTemplate } from '../../../provider.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { archiveOf } from '../../../engine/archive-of.ts'
import { buildImage, pullImage } from '../../../engine/build-image.ts'
import { templateLabel } from '../containers/containers.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { DockerProviderOptions } from '../options.ts'
import type { ImageUses } from './prune-images.ts'
import { ensureToolsImage, type ImageTools } from './tools-image.ts'

export interface TemplateParts {
  readonly engine: Engine
  readonly tools: ImageTools
  readonly options: Pick<DockerProviderOptions, 'base_image' | 'build_network'> & {
    readonly default_limits: SandboxLimits
  }
  /** On every image that is made. */
  readonly labels: Readonly<Record<string, string>>
  readonly uses: Pick<ImageUses, 'note'>
  /** The folder of lock files: one process of the platform builds an image, the others wait for it. */
  readonly locks: string
  readonly withLock: typeof withLock
}

/** The image that sandboxes of a template start from: the template's own with the tools on top, made once. */
export async function ensureTemplateImage(
  parts: TemplateParts,
  template: SandboxTemplate | null,
): Promise<string> {
  const key = createHash('sha256').update(nameOf(parts, template)).digest('hex').slice(0, 16)
  return parts.withLock(join(parts.locks, `image-${key}`), async () => {
    const from =
      template?.dockerfile === undefined ? await fetched(parts, template) : await built(parts, template)
    const image = await ensureToolsImage(parts.engine, parts.tools, from, parts.labels)
    await Promise.all([image, from.name].map((name) => parts.uses.note(name)))
    return image
  })
}

function nameOf({ options }: TemplateParts, template: SandboxTemplate | null): string {
  return template?.build?.key ?? template?.image ?? options.base_image
}

interface Image {
  readonly id: string
  readonly name: string
}

async function fetched({ engine, options }: TemplateParts, template: SandboxTemplate | null): Promise<Image> {
  const name = template?.image ?? options.base_image
  const known = await find(engine, name)
  if (known !== null) return known
  await pullImage(engine, name)
  return (await find(engine, name)) ?? missing(name)
}

async function built({ engine, options, labels }: TemplateParts, template: SandboxTemplate): Promise<Image> {
  const what = `The sandbox template ${template.slug}`
  const { build } = template
  if (build === undefined) throw new SandboxError('image', `${what} has a Dockerfile, which was not read.`)
  const name = `svc-template:${build.key}`
  const known = await find(engine, name)
  if (known !== null) return known
  await buildImage(engine, {
    tag: name,
    what,
    context: archiveOf(build.files()),
    dockerfile: build.dockerfile,
    labels: { ...labels, [templateLabel]: build.key },
    network: options.build_network ?? 'none',
    memory_mb: options.default_limits.memory_mb,
  })
  return (await find(engine, name)) ?? missing(name)
}

async function find(engine: Engine, name: string): Promise<Image | null> {
  const found = await engine.find(`Looking for the image ${name}`, () =>
    engine.docker.getImage(name).inspect(),
  )
  return found === null ? null : { id: found.Id, name }
}

function missing(name: string): never {
  throw new SandboxError(
    'image',
    `The image ${name} is not there after it was made; look whether the engine removes images.`,
    { retryable: true },
  )
}
