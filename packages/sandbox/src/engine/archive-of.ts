import { Readable } from 'node:stream'
import { pack, type Pack } from 'tar-stream'
import type { BuildFile } from '../provider.ts'

/** A context as an archive: a file is read once the one before it was taken. Its failure is that of the archive. */
export function archiveOf(files: AsyncIterable<BuildFile>): Readable {
  const archive = pack()
  fill(archive, files).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return Readable.from(archive)
}

async function fill(archive: Pack, files: AsyncIterable<BuildFile>): Promise<void> {
  for await (const { path, executable, content } of files)
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name: path, mode: executable ? 0o755 : 0o644 }, Buffer.from(content), (error) =>
        error ? reject(error) : resolve(),
      )
    })
  archive.finalize()
}
