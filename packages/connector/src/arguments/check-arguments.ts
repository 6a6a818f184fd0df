import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { isDeeper } from '@svc/facts'
import type { JsonObject } from '../shapes.ts'
import { type ArgumentIssue, issuesOf } from './issues.ts'
import { loosened } from './loosened-schema.ts'

export const argumentLimits = {
  bytes: 256 * 1024,
  depth: 64,
  issues: 20,
  /** Looks at one part of a schema with one part of the arguments: about 0.1 s of them. */
  steps: 25_000,
} as const

export type ArgumentVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: 'arguments_too_large' | 'invalid_arguments'
      readonly message: string
      readonly issues: readonly ArgumentIssue[]
    }

/**
 * Judges arguments by the schema of their action. What would take long to judge is left to the service: `pattern`,
 * `patternProperties`, `format`, `uniqueItems`, `unevaluated…`, and a whole schema that cannot be read, or that takes more
 * than the steps above. It is never the reason that something runs: rules and approvals are asked besides.
 */
export function checkArguments(schema: JsonObject, args: JsonObject): ArgumentVerdict {
  if (isDeeper(args, argumentLimits.depth)) {
    const message = `nested more than ${argumentLimits.depth} levels deep`
    return invalid([{ path: '', message }])
  }
  const bytes = Buffer.byteLength(JSON.stringify(args))
  if (bytes > argumentLimits.bytes) {
    const message = `The arguments have ${bytes} bytes of JSON, and at most ${argumentLimits.bytes} are taken: send less at once.`
    return { ok: false, reason: 'arguments_too_large', message, issues: [] }
  }
  const issues = issuesOf(errorsOf(schema, args), args, argumentLimits.issues)
  return issues.length === 0 ? { ok: true } : invalid(issues)
}

function invalid(issues: readonly ArgumentIssue[]): ArgumentVerdict {
  const message = 'The arguments are not what the action takes: `issues` says where and why.'
  return { ok: false, reason: 'invalid_arguments', message, issues }
}

/** The first fault decides; every fault is listed where that is no longer than the budget. */
function errorsOf(schema: JsonObject, args: JsonObject): readonly OutputUnit[] {
  const first = judged(schema, args, true)
  if (first === null || first.length === 0) return []
  return judged(schema, args, false) ?? first
}

/** null is no verdict. */
function judged(schema: JsonObject, args: JsonObject, firstOnly: boolean): readonly OutputUnit[] | null {
  try {
    const copy = loosened(schema, argumentLimits.steps, costOf(args))
    if (copy === null) return null
    const { valid, errors } = new Validator(copy, draftOf(schema), firstOnly).validate(args)
    return valid ? [] : errors
  } catch {
    return null
  }
}

function draftOf({ $schema }: JsonObject): SchemaDraft {
  const named = typeof $schema === 'string' ? /draft-0([47])|(2019-09)/.exec($schema) : null
  if (named?.[2] !== undefined) return '2019-09'
  return named?.[1] === '4' || named?.[1] === '7' ? named[1] : '2020-12'
}

/** The cost of one look at the most: long texts and wide objects are gone through by many keywords. */
function costOf(args: JsonObject): number {
  let cost = 1
  const rest: unknown[] = [args]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value === 'string') cost = Math.max(cost, value.length / 256)
    if (typeof value !== 'object' || value === null) continue
    const values: unknown[] = Object.values(value)
    if (!Array.isArray(value)) cost = Math.max(cost, values.length / 64)
    for (const one of values) rest.push(one)
  }
  return cost
}
