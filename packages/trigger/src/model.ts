/** Where a fire's model may be named, the nearest first; null where nobody did. `auto` is the platform's choice. */
export interface ModelChoices {
  readonly trigger: string | null
  readonly agent: string | null
  readonly project: string | null
  readonly account: string | null
}

/** `provider/model`, or `auto` when nobody named one. */
export function resolveModel({ trigger, agent, project, account }: ModelChoices): string {
  return trigger ?? agent ?? project ?? account ?? 'auto'
}

export interface ModelOffers {
  /** What the operator offers; null when that is not known and every model is worth a try. */
  readonly offered: readonly string[] | null
  /** Names of the project's secrets: a key of its own opens a provider's models. */
  readonly secret_names: readonly string[]
}

export function isModelAvailable(model: string, { offered, secret_names }: ModelOffers): boolean {
  if (model === 'auto' || offered === null || offered.includes(model)) return true
  const provider = model.split('/')[0] ?? ''
  return secret_names.includes(`${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`)
}
