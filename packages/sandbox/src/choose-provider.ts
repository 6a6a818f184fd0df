import { createFailOverProvider } from './fail-over/create-fail-over-provider.ts'
import { processModule } from './providers/process/module.ts'
import type { ChosenProvider, ProviderParts } from './providers/provider-module.ts'
import { providerModules, type ProviderSettings } from './providers/registry.ts'
import type { SandboxProvider } from './provider.ts'
import type { ProviderName } from './provider-names.ts'
import type { ProviderOrder } from './provider-order.ts'

export interface ProviderChoice extends ProviderParts {
  /**
   * auto: the best isolation this machine has; process: none; the others: that or no start at all. Of several, each has
   * to start, and the next makes a sandbox when those before it have no room or do not answer.
   */
  readonly SVC_SANDBOX_PROVIDER: ProviderOrder
  readonly settings: ProviderSettings
}

export async function chooseProvider(choice: ProviderChoice): Promise<ChosenProvider> {
  const { SVC_SANDBOX_PROVIDER: order } = choice
  return typeof order === 'string' ? chooseOne(choice, order) : chooseSeveral(choice, order)
}

async function chooseSeveral(
  choice: ProviderChoice,
  [first, second, ...more]: Exclude<ProviderOrder, ProviderName>,
): Promise<ChosenProvider> {
  const opened: ChosenProvider[] = []
  const openNext = async (name: ProviderName): Promise<SandboxProvider> => {
    const chosen = await chooseOne(choice, name)
    opened.push(chosen)
    return chosen.provider
  }
  try {
    const pair = [await openNext(first), await openNext(second)] as const
    const others: SandboxProvider[] = []
    for (const name of more) others.push(await openNext(name))
    const provider = createFailOverProvider([...pair, ...others], choice.log)
    return {
      provider,
      why: opened.map(({ why }) => why).join(' Where that has no room or does not answer: '),
    }
  } catch (error) {
    await Promise.allSettled(opened.map(({ provider }) => provider.close({ stop_sandboxes: false })))
    throw error
  }
}

async function chooseOne(
  { settings, SVC_SANDBOX_PROVIDER: _, ...parts }: ProviderChoice,
  name: ProviderName,
): Promise<ChosenProvider> {
  const asked = { name, settings, parts }
  if (name !== 'auto') {
    const named = providerModules.find(({ names }) => names.includes(name))
    if (named === undefined) throw new Error(`No provider answers to ${name}`)
    return named.open(asked)
  }
  const reasons: string[] = []
  for (const module of providerModules) {
    const reason = await module.passedOver?.(asked)
    if (reason === null) return module.open(asked)
    if (reason !== undefined) reasons.push(reason)
  }
  // Processes run on every machine.
  const chosen = await processModule.open(asked)
  return { ...chosen, why: [chosen.why, ...reasons].join(' ') }
}
