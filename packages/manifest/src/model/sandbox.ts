import type { TemplateInput } from '../schema/sandbox.ts'

interface TemplateCommon {
  readonly slug: string
  readonly name: string
  readonly entrypoint: string | null
  readonly cpu: number | null
  readonly memory: number | null
  readonly disk: number | null
}

export type ManifestTemplate = TemplateCommon &
  (
    | { readonly image: string; readonly dockerfile: null }
    | { readonly image: null; readonly dockerfile: string }
  )

export interface Sandbox {
  /** `default` is the built-in sandbox, anything else a template's slug */
  readonly default: string
  readonly templates: readonly ManifestTemplate[]
}

export function toTemplate(input: TemplateInput): ManifestTemplate | undefined {
  const common = {
    slug: input.slug,
    name: input.name ?? input.slug,
    entrypoint: input.entrypoint ?? null,
    cpu: input.cpu ?? null,
    memory: input.memory ?? null,
    disk: input.disk ?? null,
  }
  if (input.image !== undefined) return { ...common, image: input.image, dockerfile: null }
  if (input.dockerfile !== undefined) return { ...common, image: null, dockerfile: input.dockerfile }
  return undefined
}
