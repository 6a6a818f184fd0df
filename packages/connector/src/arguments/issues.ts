import type { OutputUnit } from '@cfworker/json-schema'
import type { JsonObject } from '../shapes.ts'

/** `path` as it is written in code, such as `items[0].name`; empty for the arguments as a whole. */
export interface ArgumentIssue {
  readonly path: string
  readonly message: string
}

/** They only say that something inside is wrong, which has an entry of its own. */
const wrappers: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
  'additionalItems',
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'dependentSchemas',
  'propertyNames',
])

const messageCharacters = 300

/** The validator's findings as issues, each once. */
export function issuesOf(
  errors: readonly OutputUnit[],
  args: JsonObject,
  limit: number,
): readonly ArgumentIssue[] {
  const issues = new Map<string, ArgumentIssue>()
  // A finding without another inside it is kept whatever its keyword, so that what is wrong is always said.
  const said = errors.filter(({ keyword }) => !wrappers.has(keyword))
  for (const error of said.length > 0 ? said : errors) {
    const issue = issueOf(error, args)
    issues.set(JSON.stringify(issue), issue)
    if (issues.size >= limit) break
  }
  return [...issues.values()]
}

function issueOf({ keyword, instanceLocation, error }: OutputUnit, args: JsonObject): ArgumentIssue {
  const names = instanceLocation
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const missing = keyword === 'required' ? /required property "([^]*)"\.$/.exec(error)?.[1] : undefined
  if (missing !== undefined) return { path: pathIn(args, [...names, missing]), message: 'is required' }
  if (keyword === 'false') return { path: pathIn(args, names), message: 'is not an argument of this action' }
  const text = error.replace(/^Instance\b/, 'The value').slice(0, messageCharacters)
  return { path: pathIn(args, names), message: text }
}

function pathIn(args: JsonObject, names: readonly string[]): string {
  let path = ''
  let value: unknown = args
  for (const name of names) {
    if (Array.isArray(value)) path += `[${name}]`
    else path += path === '' ? name : `.${name}`
    const own =
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name) : undefined
    value = own?.value
  }
  return path
}
