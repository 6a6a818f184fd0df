import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf } from '../kit/json.ts'

/** The items of a response as a stream has told them so far. */
export interface OutputItems {
  read(event: JsonObject): void
  /** Those that have not ended, by their place. */
  open(): readonly (readonly [index: number, item: JsonObject])[]
  all(): readonly JsonObject[]
}

export function outputItems(): OutputItems {
  const items = new Map<number, JsonObject>()
  const open = new Set<number>()
  const sorted = () => [...items].sort(([a], [b]) => a - b)
  return {
    read(event) {
      const index = numberOf(event['output_index'])
      if (index === null) return
      const { type, item } = event
      if (isObject(item)) {
        items.set(index, item)
        if (type === 'response.output_item.done') open.delete(index)
        else open.add(index)
      }
      const before = items.get(index)
      const delta = textOf(event['delta'])
      if (before !== undefined && delta !== null) items.set(index, longer(before, event, delta))
    },
    open: () => sorted().filter(([index]) => open.has(index)),
    all: () => sorted().map(([index, item]) => (open.has(index) ? { ...item, status: 'incomplete' } : item)),
  }
}

/** The field of an item that a delta of each type lengthens. */
const lengthened: Readonly<Record<string, string>> = {
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
}

/** The part of an item that a delta of each type lengthens. */
const lengthenedParts: Readonly<Record<string, { list: string; at: string; type: string; field: string }>> = {
  'response.output_text.delta': {
    list: 'content',
    at: 'content_index',
    type: 'output_text',
    field: 'text',
  },
  'response.refusal.delta': { list: 'content', at: 'content_index', type: 'refusal', field: 'refusal' },
  'response.reasoning_text.delta': {
    list: 'content',
    at: 'content_index',
    type: 'reasoning_text',
    field: 'text',
  },
  'response.reasoning_summary_text.delta': {
    list: 'summary',
    at: 'summary_index',
    type: 'summary_text',
    field: 'text',
  },
}

function longer(item: JsonObject, event: JsonObject, delta: string): JsonObject {
  const type = String(event['type'])
  const field = lengthened[type]
  if (field !== undefined) return { ...item, [field]: (textOf(item[field]) ?? '') + delta }
  const part = lengthenedParts[type]
  if (part === undefined) return item
  const list = [...listOf(item[part.list])]
  const at = Math.min(numberOf(event[part.at]) ?? 0, list.length)
  const before = objectOf(
    list[at] ?? { type: part.type, ...(type.includes('output_text') ? { annotations: [] } : {}) },
  )
  list[at] = { ...before, [part.field]: (textOf(before[part.field]) ?? '') + delta }
  return { ...item, [part.list]: list }
}
