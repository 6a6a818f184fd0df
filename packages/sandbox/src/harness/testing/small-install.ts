import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inScratch } from '../store/scratch.ts'
import { removeTree } from '../store/remove-tree.ts'
import { type Installed, settle } from '../store/settle.ts'

export interface SmallInstall extends Installed, AsyncDisposable {
  readonly top: string
  readonly store: string
  readonly lock_folder: string
}

export const smallVersion = { name: 'small', version: '1.0.0', target: 'linux-x64-musl-node20' }

const lock = {
  'package.json': '{"private":true}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
}

/** An install that no npm made: files by their paths, and a link to the first package's program. */
export async function smallInstall(more: Readonly<Record<string, string>> = {}): Promise<SmallInstall> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'svc-harness-')))
  const store = join(top, 'store')
  const lock_folder = join(top, 'lock')
  await writeAll(lock_folder, lock)
  const installed = await inScratch(store, 'small', async (scratch) => {
    const tree = join(scratch, 'tree')
    const bin = join(tree, 'node_modules', '.bin')
    await writeAll(tree, {
      ...lock,
      'node_modules/a/main.js': 'run()\n',
      'node_modules/a/empty': '',
      ...more,
    })
    await writeFile(join(tree, 'node_modules', 'a', 'tool'), '#!/bin/sh\n', { mode: 0o755 })
    await mkdir(bin, { recursive: true })
    await symlink('../a/main.js', join(bin, 'a'))
    return settle(scratch, store, smallVersion, {})
  })
  return { ...installed, top, store, lock_folder, [Symbol.asyncDispose]: () => removeTree(top) }
}

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}
