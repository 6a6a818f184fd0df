import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { exportInstalled } from '../../../harness/transfer/export-installed.ts'
import { mountedPlaces } from '../../../shared/environment.ts'
import type { Engine } from '../../../engine/engine.ts'
import { buildImage } from '../../../engine/build-image.ts'

/** An install that an image is to hold. */
export interface HarnessForImage {
  readonly name: string
  readonly version: string
  /** The folder of the install, with its seal. */
  readonly folder: string
}

/** Makes the image `tag`: another one with these harnesses, each as `name/version` where its sandboxes look for them. */
export async function makeHarnessImage(
  engine: Engine,
  { from, tag, harnesses }: { from: string; tag: string; harnesses: readonly HarnessForImage[] },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-harness-image-'))
  try {
    for (const [index, harness] of harnesses.entries())
      await exportInstalled(harness.folder, createWriteStream(join(folder, archiveName(index))))
    const context = pack()
    const filled = fill(context, folder, dockerfileOf(from, harnesses), harnesses.length).catch(
      (error: unknown) => {
        context.destroy(error instanceof Error ? error : new Error(String(error)))
      },
    )
    await buildImage(engine, {
      tag,
      what: `The image ${tag}`,
      context: Readable.from(context),
      dockerfile: 'Dockerfile',
      labels: { 'svc.harnesses': harnesses.map(({ name, version }) => `${name}@${version}`).join(',') },
      network: 'none',
    })
    await filled
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const archiveName = (index: number): string => `${index}.tgz`

/** The engine unpacks archives that are added. */
function dockerfileOf(from: string, harnesses: readonly HarnessForImage[]): string {
  const added = harnesses.map(
    ({ name, version }, index) => `ADD ${archiveName(index)} ${mountedPlaces.harnesses}/${name}/${version}/`,
  )
  return [`FROM ${from}`, 'USER 0:0', ...added, 'USER 1000:1000', ''].join('\n')
}

async function fill(context: Pack, folder: string, dockerfile: string, count: number): Promise<void> {
  context.entry({ name: 'Dockerfile' }, dockerfile)
  for (let index = 0; index < count; index += 1) {
    const path = join(folder, archiveName(index))
    const { size } = await stat(path)
    await pipeline(createReadStream(path), context.entry({ name: archiveName(index), size }))
  }
  context.finalize()
}
