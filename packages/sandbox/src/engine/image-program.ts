import type { ImageProgram } from '../programs/wire.ts'

/** The part of an image's configuration that says how its program begins, as engines and registries have it. */
export interface ImageConfig {
  readonly Entrypoint?: string | readonly string[] | null | undefined
  readonly Cmd?: readonly string[] | null | undefined
  readonly Env?: readonly string[] | null | undefined
  readonly WorkingDir?: string | null | undefined
  readonly User?: string | null | undefined
}

/** The beginning of an image's own program. Its user is the provider's to judge. */
export function imageProgramOf({ Entrypoint, Cmd, Env, WorkingDir }: ImageConfig): ImageProgram {
  const entries = (Env ?? []).map((line): [string, string] => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  return {
    command: [...[Entrypoint ?? []].flat(), ...(Cmd ?? [])],
    folder: WorkingDir || '/',
    environment: Object.fromEntries(entries),
  }
}
