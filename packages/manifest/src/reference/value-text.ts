import {
  durationPattern,
  envNamePattern,
  modelNamePattern,
  slugPattern,
  upperEnvNamePattern,
} from '@svc/facts'
import { isMapping } from '../raw.ts'
import type { Mapping } from '../raw.ts'

/** The values that a schema allows, in the words of the reference. */
export function valueText(schema: unknown): string {
  if (!isMapping(schema)) return 'anything'
  if (isMapping(schema['not']) && Object.keys(schema['not']).length === 0) return '**not allowed**'
  if (schema['const'] !== undefined) return code(schema['const'])
  const { anyOf, type } = schema
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(valueText))].join(', or ')
  const words = schema['enum']
  if (Array.isArray(words)) return words.length > maxWords ? 'capabilities' : words.map(code).join(', ')
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer' ? 'whole number' : 'number')
    case 'boolean':
      return '`true`, `false`'
    case 'array':
      return `${schema['minItems'] === 1 ? 'non-empty ' : ''}list of ${valueText(schema['items'])}`
    case 'object':
      return objectOf(schema)
    default:
      return 'anything'
  }
}

const maxWords = 20

/** Patterns have names, so that a reader meets words; a new pattern has to get one here. */
const patternNames: Readonly<Record<string, string>> = {
  [slugPattern.source]: 'slug',
  [envNamePattern.source]: 'environment name',
  [upperEnvNamePattern.source]: 'environment name in capitals',
  '^(?!\\/)(?!(?:[\\s\\S]*[/\\\\])?\\.\\.(?:[/\\\\]|$))': 'relative path',
  [modelNamePattern.source]: '`provider/model`',
  [durationPattern.source]: 'duration',
  '^\\/': 'text that starts with `/`',
}

function textOf({ pattern, minLength, maxLength }: Mapping): string {
  if (typeof pattern === 'string') return patternNames[pattern] ?? patternByExample(pattern)
  if (maxLength !== undefined) return `text of ${String(minLength)} to ${String(maxLength)} characters`
  return minLength === 1 ? 'non-empty text' : 'text'
}

function patternByExample(pattern: string): string {
  const known = [
    ['any header value, with spaces', 'text of at most 2048 characters on one line'],
    ['X-Header', 'header name'],
    ['2030-01-31T09:00:00Z', 'ISO 8601 date and time'],
    ['YES', '`true`, `false`, `1`, `0`, `yes`, `no`, `on`, `off` in any case'],
    ['KEYED', 'the same in any case'],
    ['#12abff', 'colour'],
  ] as const
  const match = known.find(([example]) => new RegExp(pattern, 'u').test(example))
  if (!match) throw new Error(`the reference has no words for the pattern ${pattern}`)
  return match[1]
}

function numberOf({ minimum, maximum }: Mapping, noun: string): string {
  const bounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER
  if (bounded) return `${noun}, ${String(minimum)} to ${maximum}`
  return minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
    ? noun
    : `${noun}, at least ${String(minimum)}`
}

function objectOf({ properties, propertyNames, additionalProperties }: Mapping): string {
  if (propertyNames === undefined) return isMapping(properties) ? 'mapping' : 'any mapping'
  const names = valueText(propertyNames)
  return `mapping of ${names} to ${valueText(additionalProperties)}`
}

function code(value: unknown): string {
  return `\`${String(value)}\``
}
