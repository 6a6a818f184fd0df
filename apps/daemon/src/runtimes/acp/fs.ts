import { chmod, mkdir, open, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'
import { replaceFile } from '@svc/files'

/** A larger file is not read for an agent, which has its own ways to read in parts. */
const maxReadBytes = 16 * 1024 * 1024

/** Files as an agent asks the platform for them: in the sandbox, as its user, and nowhere but in these folders. */
export function createFiles(roots: readonly string[]) {
  async function inside(path: string): Promise<string> {
    if (!isAbsolute(path)) throw refused(path, 'must be an absolute path')
    const whole = resolve(path)
    const real = await resolved(whole)
    const allowed = await Promise.all(roots.map((root) => resolved(resolve(root))))
    if (!allowed.some((root) => isWithin(root, real)))
      throw refused(path, `lies outside of ${roots.join(', ')}`)
    return real
  }

  return {
    /** `line` counts from 1; `limit` is a number of lines. */
    read: async (path: string, line?: number | null, limit?: number | null): Promise<string> => {
      const real = await inside(path)
      const info = await stat(real).catch(() => null)
      if (info === null) throw RequestError.resourceNotFound(path)
      if (!info.isFile()) throw refused(path, 'is not a file')
      if (info.size > maxReadBytes)
        throw refused(path, `is larger than ${maxReadBytes} bytes; read a part of it`)
      const file = await open(real)
      try {
        const text = await file.readFile('utf8')
        if (line == null && limit == null) return text
        const from = Math.max(0, (line ?? 1) - 1)
        return text
          .split('\n')
          .slice(from, limit == null ? undefined : from + limit)
          .join('\n')
      } finally {
        await file.close()
      }
    },

    /** Replaces the file at once, with the mode that it had. */
    write: async (path: string, content: string): Promise<void> => {
      const real = await inside(path)
      await mkdir(dirname(real), { recursive: true })
      const mode = await stat(real).then(
        (info) => info.mode & 0o777,
        () => 0o644,
      )
      await replaceFile(real, content, { mode })
      await chmod(real, mode)
    },
  }
}

/** The path with its links followed, as far as it is there. */
async function resolved(path: string): Promise<string> {
  const parts: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => null)
    if (real !== null) return join(real, ...parts)
    if (dirname(at) === at) return path
    parts.unshift(at.slice(dirname(at).length).replaceAll(sep, ''))
  }
}

function isWithin(root: string, path: string): boolean {
  const inside = relative(root, path)
  return inside === '' || (!inside.startsWith('..') && !isAbsolute(inside))
}

function refused(path: string, why: string): RequestError {
  return new RequestError(-32602, `${path} ${why}`)
}
