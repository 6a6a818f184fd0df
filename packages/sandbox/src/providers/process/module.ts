import type { SandboxProvider } from '../../provider.ts'
import { choiceOf, type ProviderModule } from '../provider-module.ts'
import { createProcessProvider } from './create-process-provider.ts'

const isolations = { process: 'none', bubblewrap: 'bubblewrap' } as const

export const processModule = {
  names: ['process', 'bubblewrap'],
  settings: {},
  place: 'this machine',
  open: async ({ name, parts }) => {
    const isolation = name === 'process' || name === 'bubblewrap' ? isolations[name] : 'auto'
    const provider = await createProcessProvider({ ...parts, isolation })
    return { provider, why: whySentence(name, provider) }
  },
} as const satisfies ProviderModule<unknown>

export function whySentence(name: string, provider: Pick<SandboxProvider, 'name' | 'describe'>): string {
  if (provider.name === 'bubblewrap') {
    const { isolated, not_isolated } = provider.describe()
    return `Sandboxes are isolated with bubblewrap (${choiceOf(name)}): ${topics(isolated)}; not: ${topics(not_isolated)}.`
  }
  const [reason = 'no sandboxing'] = provider.describe().not_isolated
  return `Sandboxes are not isolated (${choiceOf(name)}): ${reason}.`
}

/** The first words of a description's sentences. */
function topics(sentences: readonly string[]): string {
  return sentences.map((sentence) => sentence.split(':')[0] ?? '').join(', ')
}
