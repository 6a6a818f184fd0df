import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  InvalidArguments,
  type LocalTool,
  objectSchema,
  optionalNumber,
  optionalText,
  textArgument,
} from '../local-tool.ts'
import { confined, openReal, pathBelow } from './confined.ts'

const maxEntries = 1_000
const maxRead = 512 * 1024
const path = { type: 'string', description: 'Below the folder that this computer serves' }

/** Lists a folder: `{ entries: [{ path, type, size }] }`, at most 1,000, by name. */
export function listTool(root: string): LocalTool {
  return {
    action: 'files.list',
    title: 'List a folder',
    description: 'Files and folders that lie directly in a folder, with sizes in bytes.',
    risk: 'read',
    input_schema: objectSchema({ path: { ...path, default: '.' } }, []),
    run: async (args) => {
      const folder = await confined(root, optionalText(args, 'path') ?? '.')
      if (!(await stat(folder)).isDirectory())
        throw new InvalidArguments(`${args['path']} is no folder; read it with files.read`)
      const found = await readdir(folder, { withFileTypes: true })
      const sorted = found.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, maxEntries)
      const entries = await Promise.all(
        sorted.map(async (entry) => {
          const place = join(folder, entry.name)
          const type = entry.isDirectory()
            ? 'folder'
            : entry.isFile()
              ? 'file'
              : entry.isSymbolicLink()
                ? 'link'
                : 'other'
          const size =
            type === 'file'
              ? await stat(place).then(
                  ({ size }) => size,
                  () => null,
                )
              : null
          return { path: pathBelow(root, place), type, size }
        }),
      )
      return { data: { entries }, truncated: found.length > maxEntries }
    },
  }
}

/** Reads a file: `{ path, size, offset, bytes, encoding: "utf8" | "base64", content }`, at most 512 KiB from `offset` on; `bytes` is how many `content` stands for. */
export function readTool(root: string): LocalTool {
  return {
    action: 'files.read',
    title: 'Read a file',
    description:
      'The content of a file; bytes that are no text come as base64. `offset` and `limit` are bytes.',
    risk: 'read',
    input_schema: objectSchema(
      {
        path,
        offset: { type: 'integer', minimum: 0 },
        limit: { type: 'integer', minimum: 1, maximum: maxRead },
      },
      ['path'],
    ),
    run: async (args) => {
      const place = await confined(root, textArgument(args, 'path'))
      const offset = optionalNumber(args, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
      const limit = optionalNumber(args, 'limit', 1, maxRead) ?? maxRead
      const file = await openReal(place)
      try {
        const found = await file.stat()
        if (!found.isFile())
          throw new InvalidArguments(`${args['path']} is no file; list a folder with files.list`)
        const buffer = Buffer.alloc(Math.max(0, Math.min(limit, found.size - offset)))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
        const content = contentOf(buffer.subarray(0, bytesRead))
        const shared = { path: pathBelow(root, place), size: found.size, offset }
        return { data: { ...shared, ...content }, truncated: offset + content.bytes < found.size }
      } finally {
        await file.close()
      }
    },
  }
}

/** A letter that the limit cuts in two is left to the next read. */
function contentOf(bytes: Buffer) {
  for (const cut of [0, 1, 2, 3]) {
    const text = bytes.subarray(0, bytes.length - cut)
    if (cut > 0 && !((bytes[text.length] ?? 0) >= 0xc0)) continue
    try {
      const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
      if (!content.includes('\0')) return { encoding: 'utf8' as const, content, bytes: text.length }
    } catch {
      continue
    }
  }
  return { encoding: 'base64' as const, content: bytes.toString('base64'), bytes: bytes.length }
}
