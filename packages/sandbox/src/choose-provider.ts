import { createProcessProvider } from './process/create-process-provider.ts'
import type { ProcessProviderOptions } from './process/host.ts'
import type { SandboxProvider } from './provider.ts'

export const providerNames = ['auto', 'process', 'bubblewrap'] as const

export type ProviderName = (typeof providerNames)[number]

export interface ProviderChoice extends Omit<ProcessProviderOptions, 'isolation'> {
  /** auto: the best isolation this machine has; process: none; bubblewrap: that or no start at all. */
  readonly SVC_SANDBOX_PROVIDER: ProviderName
}

export interface ChosenProvider {
  readonly provider: SandboxProvider
  /** One sentence for the person who started the platform. */
  readonly why: string
}

export async function chooseProvider(choice: ProviderChoice): Promise<ChosenProvider> {
  const { SVC_SANDBOX_PROVIDER: name, ...options } = choice
  const isolation = name === 'process' ? 'none' : name
  const provider = await createProcessProvider({ ...options, isolation })
  return { provider, why: whySentence(name, provider) }
}

export function whySentence(
  name: ProviderName,
  provider: Pick<SandboxProvider, 'name' | 'describe'>,
): string {
  const asked = `SVC_SANDBOX_PROVIDER=${name}`
  if (provider.name === 'bubblewrap') {
    return `Sandboxes are isolated with bubblewrap, which works on this machine (${asked}).`
  }
  const [reason = 'no sandboxing'] = provider.describe().not_isolated
  return `Sandboxes are not isolated (${asked}): ${reason}.`
}
