import { z } from 'zod'
import { isMapping, valueAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'

/** A rule between the keys of one mapping, simple enough to be checked here and said in JSON Schema alike. */
export interface Condition {
  /** holds when each of these keys has text that matches; always when absent */
  readonly when?: Readonly<Record<string, RegExp>>
  /** one of these keys must be there; the first is the name that a message uses */
  readonly needs?: readonly string[]
  /** none of these keys may be there */
  readonly refuses?: readonly string[]
  /** at most one of these keys may be there; the later one is blamed */
  readonly atMostOne?: readonly string[]
  /** the value at this place, if there is one, must be one of these */
  readonly only?: { readonly path: readonly string[]; readonly values: readonly string[] }
  /** each of these keys that is there must be of its shape, which says itself what is wrong */
  readonly shapes?: Readonly<Record<string, z.ZodType>>
  readonly because: string
}

/** The shape with its conditions: one more check for the verdict, `allOf` for the schema. */
export function withConditions<Shape extends z.ZodObject>(
  shape: Shape,
  conditions: readonly Condition[],
): Shape {
  return shape
    .superRefine(
      (value: unknown, context) => {
        if (!isMapping(value)) return
        for (const condition of conditions) {
          for (const path of breaches(condition, value)) {
            context.addIssue({ code: 'custom', path: [...path], message: condition.because })
          }
          for (const issue of misshapen(condition, value)) context.addIssue(issue)
        }
      },
      { when: () => true },
    )
    .meta({ allOf: conditions.map(conditionSchema) })
}

function breaches(condition: Condition, value: Mapping): readonly (readonly string[])[] {
  const { needs, refuses = [], atMostOne = [], only } = condition
  const has = (key: string) => Object.hasOwn(value, key)
  if (!applies(condition, value)) return []
  const found: (readonly string[])[] = refuses.filter(has).map((key) => [key])
  if (needs && !needs.some(has)) found.push(needs.slice(0, 1))
  const present = atMostOne.filter(has)
  if (present.length > 1) found.push(present.slice(-1))
  if (only) {
    const text = valueAt(value, only.path)
    if (text !== undefined && !only.values.some((allowed) => allowed === text)) found.push(only.path)
  }
  return found
}

function applies({ when = {} }: Condition, value: Mapping): boolean {
  return Object.entries(when).every(([key, pattern]) => {
    const text = Object.hasOwn(value, key) ? value[key] : undefined
    return typeof text === 'string' && pattern.test(text)
  })
}

function misshapen(condition: Condition, value: Mapping): readonly z.core.$ZodSuperRefineIssue[] {
  const { shapes } = condition
  if (!shapes || !applies(condition, value)) return []
  return Object.entries(shapes).flatMap(([key, shape]) => {
    const result = Object.hasOwn(value, key) ? shape.safeParse(value[key]) : undefined
    return (result?.error?.issues ?? []).map(({ input: _, ...issue }) => ({
      ...issue,
      path: [key, ...issue.path],
    }))
  })
}

function conditionSchema(condition: Condition): Record<string, unknown> {
  const { when, needs, refuses, atMostOne, only, shapes } = condition
  const required = (key: string) => ({ required: [key] })
  const then = {
    ...(needs && { anyOf: needs.map(required) }),
    ...(refuses && { properties: Object.fromEntries(refuses.map((key) => [key, false])) }),
    ...(atMostOne && { not: { anyOf: pairs(atMostOne).map((pair) => ({ required: pair })) } }),
    ...(only && nested(only.path, { enum: only.values })),
    ...(shapes && { properties: Object.fromEntries(Object.entries(shapes).map(shapeSchema)) }),
  }
  if (!when) return then
  const properties = Object.fromEntries(
    Object.entries(when).map(([key, pattern]) => [key, { type: 'string', pattern: pattern.source }]),
  )
  return { if: { properties, required: Object.keys(when) }, then }
}

function shapeSchema([key, shape]: readonly [string, z.ZodType]): readonly [string, unknown] {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { target: 'draft-2020-12', io: 'input' })
  return [key, schema]
}

function nested(path: readonly string[], leaf: Record<string, unknown>): Record<string, unknown> {
  const [first, ...rest] = path
  return first === undefined ? leaf : { properties: { [first]: nested(rest, leaf) } }
}

function pairs(keys: readonly string[]): readonly string[][] {
  return keys.flatMap((a, index) => keys.slice(index + 1).map((b) => [a, b]))
}
