import type { RuntimeOption } from '@svc/sdk'

export type Choice = readonly [value: string, label: string]

/** An option of an agent as a control: one of a few values, or on and off. */
export type OptionControl = {
  readonly id: string
  readonly label: string
  readonly description: string | null
} & (
  | { readonly kind: 'select'; readonly value: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'switch'; readonly value: boolean }
)

/** Categories of the protocol, in the order in which they matter. */
const order = ['mode', 'model', 'thought_level']

const rankOf = ({ category }: Pick<RuntimeOption, 'category'>) => {
  const rank = order.indexOf(category ?? '')
  return rank === -1 ? order.length : rank
}

/** The controls of an agent's options: mode, model and effort first. One without a value to choose is left out. */
export function controlsOf(options: readonly RuntimeOption[]): readonly OptionControl[] {
  return options.toSorted((one, other) => rankOf(one) - rankOf(other)).flatMap(controlOf)
}

function controlOf(option: RuntimeOption): readonly OptionControl[] {
  const { id, name, description, currentValue: value } = option
  const base = { id, label: name === '' ? id : name, description }
  if (typeof value === 'boolean') return [{ ...base, kind: 'switch', value }]
  const choices = option.options.map((one): Choice => [one.value, one.name === '' ? one.value : one.name])
  if (choices.length === 0) return []
  // An agent may stand at a value that it does not list.
  const known = choices.some(([one]) => one === value)
  return [{ ...base, kind: 'select', value, choices: known ? choices : [[value, value], ...choices] }]
}
