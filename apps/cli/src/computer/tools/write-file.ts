import { randomBytes } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
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
      const beside = `${place}.${randomBytes(6).toString('hex')}.part`
      try {
        await writeFile(beside, bytes, {
          flag: 'wx',
          ...(known === null ? {} : { mode: known.mode & 0o777 }),
        })
        await rename(beside, place)
      } catch (error) {
        await rm(beside, { force: true })
        throw error
      }
      return { data: { path: pathBelow(root, place), size: bytes.length } }
    },
  }
}
