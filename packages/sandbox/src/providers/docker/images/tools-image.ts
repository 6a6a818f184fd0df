import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { errorCode, SandboxError } from '../../../sandbox-error.ts'
import { buildImage } from '../../../engine/build-image.ts'
import type { Engine } from '../../../engine/engine.ts'
import {
  imagePlaces,
  pidOneScript,
  setupScript,
  toolsDockerfile,
  wrapperScript,
} from '../../../engine/image-files.ts'

/** The tools that every sandbox runs, as they go into images. */
export interface ImageTools {
  /** A folder with `bin` and `lib`, named after its content. */
  readonly folder: string
  readonly boot: string
  readonly fingerprint: string
}

export async function readImageTools(folder: string, boot_bundle: string): Promise<ImageTools> {
  const boot = await readFile(boot_bundle, 'utf8').catch((cause: unknown) => {
    if (errorCode(cause) !== 'ENOENT') throw cause
    throw new SandboxError('image', `What starts a sandbox is not at ${boot_bundle}: is everything built?`, {
      cause,
    })
  })
  const hash = createHash('sha256').update(basename(folder))
  for (const text of [boot, pidOneScript, setupScript, wrapperScript(''), toolsDockerfile('', {})])
    hash.update(`\0${text}`)
  return { folder, boot, fingerprint: hash.digest('hex').slice(0, 20) }
}

/** The image with the tools on top of another one, made once for each pair. Returns its name. */
export async function ensureToolsImage(
  engine: Engine,
  tools: ImageTools,
  from: { readonly id: string; readonly name: string },
  labels: Readonly<Record<string, string>>,
): Promise<string> {
  const base = from.id.replace(/^sha256:/, '').slice(0, 20)
  const tag = `svc-sandbox:${base}-${tools.fingerprint}`
  const known = await engine.find('Looking for the sandbox image', () =>
    engine.docker.getImage(tag).inspect(),
  )
  if (known !== null) return tag
  const context = pack()
  // A build that the engine refuses closes the stream, which is told by the engine's answer.
  const filled = fill(context, tools, from.id).catch((error: unknown) => {
    context.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  await buildImage(engine, {
    tag,
    what: `The sandbox image on top of ${from.name}`,
    context: Readable.from(context),
    dockerfile: 'Dockerfile',
    labels: { ...labels, 'svc.tools': tools.fingerprint },
    network: 'none',
  })
  await filled
  return tag
}

async function fill(context: Pack, tools: ImageTools, from: string): Promise<void> {
  const text = (path: string, content: string, mode = 0o755): void =>
    void context.entry({ name: path, mode }, content)
  text('Dockerfile', toolsDockerfile(from, {}))
  text(`rootfs${imagePlaces.entrypoint}`, pidOneScript)
  text(`rootfs${imagePlaces.setup}`, setupScript)
  text(`rootfs${imagePlaces.boot}`, tools.boot, 0o644)
  for (const name of await readdir(join(tools.folder, 'bin'))) {
    if (name === 'node' || name === 'svc-entrypoint') continue
    text(`rootfs/usr/local/bin/${name}`, wrapperScript(name))
  }
  for (const entry of await readdir(tools.folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size, mode } = await stat(path)
    const name = `rootfs${imagePlaces.tools}${path.slice(tools.folder.length)}`
    await pipeline(createReadStream(path), context.entry({ name, size, mode: mode & 0o777 }))
  }
  context.finalize()
}
