import type { HeldHarnesses } from '@svc/db'
import { knownHarness, type FrozenHarness, type Unavailable } from '@svc/harness'
import { harnessesOf } from '@svc/sandbox'

type Wanted = Pick<FrozenHarness, 'harness' | 'version'>

/** The provider that a session asks for; undefined where any will do. */
export function askedProvider(requested: { readonly provider?: string | undefined }): string | undefined {
  return requested.provider === 'auto' ? undefined : requested.provider
}

/**
 * The reason that no sandbox of these machines may have a harness, where all of them have said what theirs may have; a
 * program that npm does not bring is never missed here.
 */
export function heldNowhere(
  { harness, version }: Wanted,
  machines: readonly (readonly HeldHarnesses[] | null)[],
  asked?: string,
): Unavailable | null {
  if (knownHarness(harness)?.program.kind !== 'npm' || version === null) return null
  const providers = new Set<string>()
  for (const held of machines) {
    if (held === null) return null
    const makers = held.map(({ provider }) => provider).filter((one) => asked === undefined || one === asked)
    if (makers.length === 0) continue
    if (isHeld({ harness, version }, harnessesOf(held, asked))) return null
    for (const provider of makers) providers.add(provider)
  }
  if (providers.size === 0) return null
  return { reason: 'provider', message: notHeld({ harness, version }, [...providers].join(', ')) }
}

/** True where sandboxes with this source have it, or may be given it. */
export function isHeld({ harness, version }: Wanted, source: ReturnType<typeof harnessesOf>): boolean {
  return source === 'store' || source.includes(`${harness}@${version}`)
}

/** A refusal with what to do. */
export function notHeld({ harness, version }: Wanted, provider: string): string {
  const title = knownHarness(harness)?.title ?? harness
  return `Sandboxes of ${provider} do not hold ${title} ${version}. Start the session with another provider or harness, or ask an operator to put it into their image: node infra/kubernetes/make-image.mjs --harness ${harness}`
}
