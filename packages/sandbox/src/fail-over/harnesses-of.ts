import type { HarnessSource, SandboxProvider } from '../provider.ts'

/** The source of harnesses that holds for whichever of these makes a sandbox; a provider that is asked for counts alone. */
export function harnessesOf(
  providers: readonly Pick<SandboxProvider, 'name' | 'harnesses'>[],
  asked?: string,
): HarnessSource {
  const [first = [], ...others] = providers
    .filter(({ name }) => asked === undefined || asked === name)
    .map((provider) => provider.harnesses())
  // A command names its program by one place, before it is known which provider makes its sandbox.
  return others.reduce<HarnessSource>((both, one) => {
    if (both === 'store' || one === 'store') return both === one ? 'store' : []
    return both.filter((held) => one.includes(held))
  }, first)
}
