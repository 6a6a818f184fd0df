import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packed, type ShippedFile } from '../build/archive.ts'

export { shippedOf } from '../build/archive.ts'

/** A folder of this machine as an archive. */
export function treeOfFolder(folder: string): AsyncIterable<Uint8Array> {
  return packed(filesOf(folder, ''))
}

async function* filesOf(folder: string, below: string): AsyncGenerator<ShippedFile> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    const at = join(folder, name)
    if (entry.isDirectory()) yield* filesOf(folder, name)
    else if (entry.isSymbolicLink())
      yield {
        header: { name, type: 'symlink', linkname: await readlink(at), mode: 0o777, size: 0 },
        content: chunks(),
      }
    else if (entry.isFile()) {
      const content = await readFile(at)
      const { mode } = await stat(at)
      yield {
        header: { name, type: 'file', linkname: '', mode, size: content.length },
        content: chunks(content),
      }
    }
  }
}

async function* chunks(...content: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* content
}
