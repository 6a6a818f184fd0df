import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { SandboxError } from '../../../sandbox-error.ts'
import { appdFile } from '../../../shared/tools/tools.ts'
import type { Engine } from '../../../engine/engine.ts'
import { buildImage, pullImage } from '../../../engine/build-image.ts'
import { filesFolder, imagePlaces, loaderFolder, programDockerfile } from '../../../engine/image-files.ts'
import { imageProgramOf } from '../../../engine/image-program.ts'
import type { ImageProgram } from '../../../programs/wire.ts'
import { loaderOf } from './loader-of.ts'
import type { ImageUses } from './prune-images.ts'
import type { ImageTools } from './tools-image.ts'

export interface ProgramImageParts {
  readonly engine: Engine
  readonly tools: ImageTools
  readonly labels: Readonly<Record<string, string>>
  readonly uses: Pick<ImageUses, 'note'>
}

/** An image with `svc-appd` beside what it has, and how its own program begins. */
export interface ProgramImageMade {
  readonly image: string
  readonly image_program: ImageProgram & { readonly user: string }
}

/**
 * Adds `svc-appd` to an image, with Node and all that Node needs, made once for each image. The image may hold nothing at
 * all: no command of it is run.
 */
export async function ensureProgramImage(parts: ProgramImageParts, name: string): Promise<ProgramImageMade> {
  const { engine, tools, labels, uses } = parts
  const found = await foundOrFetched(engine, name)
  await uses.note(name)
  const base = found.Id.replace(/^sha256:/, '').slice(0, 20)
  const mark = createHash('sha256')
    .update(`${tools.fingerprint} ${programDockerfile('')}`)
    .digest('hex')
    .slice(0, 20)
  const image = `svc-program:${base}-${mark}`
  await uses.note(image)
  // Images that name no user, or root, run as an ordinary one.
  const user = /^(0*|root)(:.*)?$/.test(found.Config.User ?? '') ? '1000:1000' : found.Config.User
  const image_program = { ...imageProgramOf(found.Config), user }
  if ((await engine.find('Looking for an image', () => engine.docker.getImage(image).inspect())) !== null)
    return { image, image_program }
  const context = pack()
  const filled = fill(context, tools, found.Id).catch((error: unknown) => {
    context.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  await buildImage(engine, {
    ...{ tag: image, what: `The image of a program on top of ${name}`, context: Readable.from(context) },
    ...{ dockerfile: 'Dockerfile', labels: { ...labels, 'svc.tools': tools.fingerprint }, network: 'none' },
  })
  await filled
  return { image, image_program }
}

export async function foundOrFetched(engine: Engine, name: string) {
  const find = () =>
    engine.find(`Looking for the image ${name}`, () => engine.docker.getImage(name).inspect())
  const known = await find()
  if (known !== null) return known
  // One that was built here is nowhere else.
  if (name.startsWith(builtPrefix))
    throw new SandboxError(
      'image',
      `The image ${name} was built on this machine and is no longer here: build it again.`,
    )
  await pullImage(engine, name)
  const fetched = await find()
  if (fetched === null)
    throw new SandboxError(
      'image',
      `The image ${name} is not there after it was fetched; look whether the engine removes images.`,
    )
  return fetched
}

export const builtPrefix = 'svc-app:'

async function fill(context: Pack, tools: ImageTools, from: string): Promise<void> {
  const text = (path: string, content: string, mode = 0o644): void =>
    void context.entry({ name: path, mode }, content)
  const file = async (source: string, path: string, mode: number): Promise<void> => {
    const { size } = await stat(source)
    await pipeline(createReadStream(source), context.entry({ name: `rootfs${path}`, size, mode }))
  }
  text('Dockerfile', programDockerfile(from))
  text(`rootfs${imagePlaces.boot}`, tools.boot)
  context.entry({ name: `rootfs${filesFolder}/`, type: 'directory', mode: 0o1777 })
  text(`rootfs${imagePlaces.tools}/lib/package.json`, '{ "type": "module" }\n')
  await file(join(tools.folder, 'lib', appdFile), `${imagePlaces.tools}/lib/${appdFile}`, 0o644)
  const node = join(tools.folder, 'bin/node')
  await file(node, `${imagePlaces.tools}/bin/node`, 0o755)
  const { loader, libraries } = await loaderOf(node)
  await file(loader, `${loaderFolder}/loader`, 0o755)
  for (const library of libraries) await file(library, `${loaderFolder}/${basename(library)}`, 0o755)
  context.finalize()
}
