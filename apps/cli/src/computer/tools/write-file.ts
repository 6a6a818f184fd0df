import { stat } from 'node:fs/promises'
import { replaceFile } from '@svc/files'
import { InvalidArguments, type LocalTool, objectSchema, optionalText, textArgument } from '../local-tool.ts'
import { confinedTarget, pathBelow } from './confined.ts'

/** Writes a whole file, in one step: `{ path, size }`. Its folder has to be there. */
export function writeTool(root: string): LocalTool {
  return {
    action: 'files.write',
    title: 'Write a file',
    description: 'Makes a file or replaces its whole content, in a folder that is there.',
    risk: 'write',
    input_schema: objectSchema(
      {
        path: { type: 'string' },
        content: { type: 'string' },
        encoding: { type: 'string', enum: ['utf8', 'base64'], default: 'utf8' },
      },
      ['path', 'content'],
    ),
    run: async (args) => {
      const { content } = args
      if (typeof content !== 'string') throw new InvalidArguments('`content` must be a text')
      const encoding = optionalText(args, 'encoding') ?? 'utf8'
      if (encoding !== 'utf8' && encoding !== 'base64')
        throw new InvalidArguments('`encoding` must be utf8 or base64')
      const place = await confinedTarget(root, textArgument(args, 'path'))
      const known = await stat(place).catch(() => null)
      if (known !== null && !known.isFile()) throw new InvalidArguments(`${args['path']} is no file`)
      const bytes = Buffer.from(content, encoding)
      await replaceFile(place, bytes, { mode: known === null ? 0o644 : known.mode & 0o777 })
      return { data: { path: pathBelow(root, place), size: bytes.length } }
    },
  }
}
