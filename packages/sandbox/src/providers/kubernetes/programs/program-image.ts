import type { ImageProgram } from '../../../programs/wire.ts'
import type { DescribedImage } from '../registry/registry.ts'

/** The user of sandboxes, for images that name none, or root, or one that only their own files could tell apart. */
const defaultUser = 1000

/** The beginning of an image's own program, and the user that it runs as: a number that is not root's. */
export function programOfImage({ config }: Pick<DescribedImage, 'config'>): {
  readonly program: ImageProgram
  readonly user: number
} {
  const { Entrypoint, Cmd, Env, WorkingDir, User } = config
  const entries = (Env ?? []).map((line): [string, string] => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  const user = Number(/^(\d{1,9})(?::|$)/.exec(User ?? '')?.[1] ?? 0)
  return {
    program: {
      command: [...(Entrypoint ?? []), ...(Cmd ?? [])],
      folder: WorkingDir || '/',
      environment: Object.fromEntries(entries),
    },
    user: user === 0 ? defaultUser : user,
  }
}
