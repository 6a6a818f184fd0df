import { chmod, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, linesOf, readTree, sealName } from './tree.ts'
import type { HarnessVersion } from './places.ts'

/** The statement of an install about itself: its version, and each file with its hash. */
export interface Seal extends HarnessVersion {
  readonly digest: string
  readonly lines: readonly string[]
}

/** Makes a finished tree read-only, writes its seal, and has all of it on the disk. The top stays writable, to be moved. */
export async function sealTree(
  root: string,
  harness: HarnessVersion,
  signal?: AbortSignal,
): Promise<{ readonly digest: string; readonly bytes: number }> {
  await rm(join(root, 'node_modules', '.package-lock.json'), { force: true })
  const tree = await readTree(root)
  signal?.throwIfAborted()
  const lines = await linesOf(root, tree, { seal: true })
  signal?.throwIfAborted()
  const digest = digestOf(lines)
  await writeFile(join(root, sealName), sealText({ ...harness, digest, lines }), { mode: 0o444, flush: true })
  for (const folder of tree.folders.toReversed()) {
    await syncFolder(join(root, folder))
    if (folder !== '') await chmod(join(root, folder), 0o555)
  }
  return { digest, bytes: bytesOf(lines) }
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const readSeal = async (root: string): Promise<Seal> =>
  parseSeal(await readFile(join(root, sealName), 'utf8'))

export const sealText = ({ digest, name, version, target, lines }: Seal): string =>
  [[digest, name, version, target].join(' '), ...lines, ''].join('\n')

/** Reads a seal whose lines have its digest. */
export function parseSeal(text: string): Seal {
  const lines = text.split('\n').slice(1, -1)
  const head = headOf(text)
  if (head === null || digestOf(lines) !== head.digest)
    throw new Error(`${sealName} does not fit its own digest.`)
  return { ...head, lines }
}

/** The first line of a seal, whose other lines are not looked at; null where it is of none. */
export function headOf(text: string): Omit<Seal, 'lines'> | null {
  const [digest = '', name = '', version = '', target = ''] = text.split('\n', 1)[0]?.split(' ') ?? []
  return target === '' ? null : { digest, name, version, target }
}

/** The total size of the files, which the lines say. */
export const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + (parseLine(line)?.size ?? 0), 0)

/** The file of a line; null for a link. */
export function parseLine(
  line: string,
): { readonly path: string; readonly mode: number; readonly size: number; readonly sha256: string } | null {
  const found = /^(.+) (0444|0555) (\d+) ([0-9a-f]{64})$/.exec(line)
  if (found === null) return null
  const [, path = '', mode = '', size, sha256 = ''] = found
  return { path, mode: Number.parseInt(mode, 8), size: Number(size), sha256 }
}

/** The link of a line; null for a file. */
export function parseLinkLine(line: string): { readonly path: string; readonly target: string } | null {
  if (parseLine(line) !== null) return null
  const [path, target, ...more] = line.split(' -> ')
  return path === undefined || target === undefined || more.length > 0 ? null : { path, target }
}
