import { RequestError, type SessionConfigOption } from '@agentclientprotocol/sdk'
import type { Conversation } from './conversation.ts'
import type { AgentSettings } from './settings.ts'

export const modes = ['ask', 'free'] as const
export const thoughtLevels = ['off', 'low', 'high'] as const

/** The options of a conversation, each with the value that it has. */
export function configOptions(
  settings: AgentSettings,
  conversation: Conversation,
  models: readonly string[],
): SessionConfigOption[] {
  const select = (
    id: OptionId,
    name: string,
    values: readonly string[],
    category = id as string,
  ): SessionConfigOption => ({
    type: 'select',
    id,
    name,
    category,
    currentValue: conversation[id],
    options: values.map((value) => ({ value, name: value })),
  })
  return [
    ...(settings.modes ? [select('mode', 'Mode', modes)] : []),
    ...(settings.model_option
      ? [select('model', 'Model', [...new Set([conversation.model, ...models])])]
      : []),
    ...(settings.thought_level ? [select('thought_level', 'Thinking', thoughtLevels)] : []),
  ]
}

type OptionId = 'mode' | 'model' | 'thought_level'
const isOptionId = (id: string): id is OptionId => ['mode', 'model', 'thought_level'].includes(id)

/** Sets an option to a value, which must both be among those that are offered. */
export function setOption(
  conversation: Conversation,
  offered: readonly SessionConfigOption[],
  id: string,
  value: unknown,
): void {
  const option = offered.find((each) => each.id === id)
  const values =
    option?.type === 'select' ? option.options.flatMap((each) => ('value' in each ? [each.value] : [])) : []
  const chosen = values.find((each) => each === value)
  if (chosen === undefined || !isOptionId(id)) {
    throw RequestError.invalidParams({ configId: id, value }, 'is not offered')
  }
  conversation[id] = chosen
}
