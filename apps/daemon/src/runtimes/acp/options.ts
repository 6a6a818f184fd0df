import { RuntimeRefusal } from '../runtime.ts'
import type { ConfigOption, Models, Modes } from './schemas.ts'

/** Options of an agent as they are shown, its modes among them: older agents have them apart. */
export type ShownOption = Pick<ConfigOption, 'id' | 'name' | 'type' | 'currentValue' | 'options'> & {
  readonly category: string | null
  readonly description: string | null
}

/** The id under which modes are shown that are no option. */
export const modeOption = 'mode'

/** The id under which models are shown that are no option. */
export const modelOption = 'model'

export interface OfferedOptions {
  readonly options: readonly ConfigOption[]
  readonly modes: Modes | null
  readonly models: Models | null
}

export function shownOptions({ options, modes, models }: OfferedOptions): readonly ShownOption[] {
  const own = options.map(({ id, name, description, category, type, currentValue, options: values }) => ({
    ...{ id, name, type, currentValue, options: values },
    category: category ?? null,
    description: description ?? null,
  }))
  return [...own, ...apart(own, modelsOf(models)), ...apart(own, modesOf(modes))]
}

/** An option that a program has apart, where its options do not hold it already. */
function apart(own: readonly ShownOption[], option: ShownOption | null): readonly ShownOption[] {
  return option === null || own.some(({ category }) => category === option.category) ? [] : [option]
}

function modesOf(modes: Modes | null): ShownOption | null {
  if (modes === null) return null
  const values = modes.availableModes.map(({ id, name, description }) => ({ value: id, name, description }))
  return {
    ...{ id: modeOption, name: 'Mode', type: 'select', currentValue: modes.currentModeId, options: values },
    ...{ category: 'mode', description: null },
  }
}

function modelsOf(models: Models | null): ShownOption | null {
  if (models === null) return null
  const values = models.availableModels.map(({ modelId, name, description }) => ({
    ...{ value: modelId, name, description },
  }))
  return {
    ...{
      id: modelOption,
      name: 'Model',
      type: 'select',
      currentValue: models.currentModelId,
      options: values,
    },
    ...{ category: 'model', description: null },
  }
}

/** The option, and the value of its kind; 400 says what there is. */
export function checkedValue(
  options: readonly ShownOption[],
  id: string,
  value: unknown,
): { readonly option: ShownOption; readonly value: string | boolean } {
  const option = options.find((one) => one.id === id)
  if (option === undefined)
    throw invalidOption(
      `The agent has no option ${JSON.stringify(id)}; it has ${listed(options.map((one) => one.id))}`,
      options,
    )
  if (option.type === 'boolean') {
    const flag = value === 'true' ? true : value === 'false' ? false : value
    if (typeof flag === 'boolean') return { option, value: flag }
    throw invalidOption(`The option ${id} is true or false`, options)
  }
  const values: readonly string[] = option.options.map((one) => one.value)
  if (typeof value === 'string' && values.includes(value)) return { option, value }
  throw invalidOption(
    `The option ${id} has no value ${JSON.stringify(value)}; it has ${listed(values)}`,
    options,
  )
}

const maxListed = 20

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : ''
  return `${names.slice(0, maxListed).join(', ')}${more}`
}

/** 400, with all options and their values. */
export function invalidOption(message: string, options: readonly ShownOption[]): RuntimeRefusal {
  return new RuntimeRefusal(message, 400, { options }, 'RUNTIME_OPTION_INVALID')
}

/** The value of a `model` option that a model's name means: agents write the gateway's models with or without its name. */
export function modelValue(option: ShownOption, names: readonly string[]): string | null {
  const values = option.options.map((one) => one.value)
  return names.find((name) => values.includes(name)) ?? null
}
