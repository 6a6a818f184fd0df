import type { SandboxProvider, TemplateWish } from '../provider.ts'
import { SandboxError } from '../sandbox-error.ts'

/** The reason that no sandbox of this template is made; a provider that is asked for by name counts alone. */
export function templateRefusal(
  providers: readonly Pick<SandboxProvider, 'name' | 'refusal'>[],
  template: TemplateWish,
  asked?: string,
): string | null {
  const wanted = providers.filter(({ name }) => asked === undefined || asked === 'auto' || asked === name)
  const refusals = wanted.map((provider) => provider.refusal(template))
  return refusals.some((refusal) => refusal === null) ? null : refusals.join(' ') || null
}

/** Ends a create whose template the provider does not make; another provider may. */
export function requireTemplate(
  provider: Pick<SandboxProvider, 'refusal'>,
  template: TemplateWish | null | undefined,
): void {
  const refusal = template ? provider.refusal(template) : null
  if (refusal !== null) throw new SandboxError('image', refusal)
}

/** The refusal of a provider that runs this machine's own programs; null for a template that names no image. */
export function withoutImages(provider: string, { slug, image, dockerfile }: TemplateWish): string | null {
  const named = image !== undefined ? 'an image' : dockerfile !== undefined ? 'a Dockerfile' : null
  if (named === null) return null
  return `The template ${slug} names ${named}, and the provider ${provider} runs none: it runs this machine’s own programs. Use a provider with images (SVC_SANDBOX_PROVIDER=docker or kubernetes), or the built-in sandbox (sandbox: default).`
}
