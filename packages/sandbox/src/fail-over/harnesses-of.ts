import type { HarnessSource, SandboxProvider } from '../provider.ts'

/** A provider and the harnesses that its sandboxes may have. */
export interface HeldHarnesses {
  readonly provider: string
  readonly harnesses: HarnessSource
}

/** The source of harnesses that holds for whichever of these makes a sandbox; a provider that is asked for counts alone. */
export function harnessesOf(held: readonly HeldHarnesses[], asked?: string): HarnessSource {
  const [first = [], ...others] = held
    .filter(({ provider }) => asked === undefined || asked === provider)
    .map(({ harnesses }) => harnesses)
  // A command names its program by one place, before it is known which provider makes its sandbox.
  return others.reduce<HarnessSource>((both, one) => {
    if (both === 'store' || one === 'store') return both === one ? 'store' : []
    return both.filter((name) => one.includes(name))
  }, first)
}

/** The harnesses of each provider that stands behind this one, in their order. */
export function heldHarnesses({
  name,
  members = [name],
  harnesses,
}: Pick<SandboxProvider, 'name' | 'members' | 'harnesses'>): readonly HeldHarnesses[] {
  return members.map((provider) => ({ provider, harnesses: harnesses(provider) }))
}
