import fc from 'fast-check'
import { z } from 'zod'

/** The part of JSON Schema 2020-12 that this generator knows; a schema with anything else that narrows is a mistake. */
const Schema = z
  .object({
    $ref: z.string(),
    type: z.union([z.string(), z.array(z.string())]),
    enum: z.array(z.unknown()),
    const: z.unknown(),
    anyOf: z.array(z.unknown()),
    oneOf: z.array(z.unknown()),
    allOf: z.array(z.unknown()),
    properties: z.record(z.string(), z.unknown()),
    required: z.array(z.string()),
    additionalProperties: z.unknown(),
    items: z.unknown(),
    minItems: z.number(),
    maxItems: z.number(),
    minLength: z.number(),
    maxLength: z.number(),
    pattern: z.string(),
    format: z.string(),
    minimum: z.number(),
    maximum: z.number(),
    exclusiveMinimum: z.number(),
  })
  .partial()

const strings: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  'date-time': fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
}

/** Values that the schema accepts, its boundaries among them. */
export function valuesOf(schema: unknown, resolve: (ref: string) => unknown): fc.Arbitrary<unknown> {
  const known = Schema.parse(schema)
  const of = (part: unknown) => valuesOf(part, resolve)
  if (known.$ref !== undefined) return of(resolve(known.$ref))
  if ('const' in known) return fc.constant(known.const)
  if (known.enum !== undefined) return fc.constantFrom(...known.enum)
  const choices = known.anyOf ?? known.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map(of))
  if (known.allOf !== undefined)
    return fc.tuple(...known.allOf.map(of)).map((parts) => Object.assign({}, ...parts))
  if (Array.isArray(known.type)) return fc.oneof(...known.type.map((type) => of({ ...known, type })))
  switch (known.type) {
    case 'string':
      return stringsOf(known)
    case 'integer':
    case 'number': {
      const min = known.minimum ?? (known.exclusiveMinimum ?? -(2 ** 31)) + 1
      return fc.integer({ min, max: Math.max(min, Math.min(known.maximum ?? 2 ** 31, 2 ** 53 - 1)) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const minLength = known.minItems ?? 0
      const maxLength = Math.max(minLength, Math.min(known.maxItems ?? 3, 5))
      return fc.array(of(known.items ?? {}), { minLength, maxLength })
    }
    case 'object': {
      const own = Object.entries(known.properties ?? {}).map(([key, part]) => [key, of(part)] as const)
      const record = fc.record(Object.fromEntries(own), { requiredKeys: known.required ?? [] })
      if (typeof known.additionalProperties !== 'object') return record
      const more = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), of(known.additionalProperties), {
        maxKeys: 3,
      })
      return fc.tuple(more, record).map(([a, b]) => ({ ...a, ...b }))
    }
    default:
      return fc.jsonValue()
  }
}

function stringsOf({ format, pattern, minLength = 0, maxLength = 200 }: z.infer<typeof Schema>) {
  const formatted = format === undefined ? undefined : strings[format]
  if (formatted !== undefined) return formatted
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits)
  const maxChars = Math.min(maxLength, 300)
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: maxChars }).filter(fits),
    fc.constantFrom('x'.repeat(Math.max(minLength, 1)), 'x'.repeat(maxLength > 100_000 ? 300 : maxLength)),
  )
}

const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[null, '', '\0', 'x\0', '-x', '--upload-pack=x', '../..', 'a'.repeat(70_000), '\ud800', '%00', '{{x}}'],
  ...[-1, 0, 1e308, 2 ** 53, 0.5, true, [], {}, [null], { __proto__: null, constructor: 1 }],
)

/** The value with one place in it, or all of it, replaced by something odd, removed, or added to. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, odd, fc.nat(), fc.constantFrom('replace', 'remove', 'add', 'whole')).map(spoil)
}

type Spoiling = 'replace' | 'remove' | 'add' | 'whole'

function spoil([value, by, at, how]: [unknown, unknown, number, Spoiling]): unknown {
  if (how === 'whole' || typeof value !== 'object' || value === null || Array.isArray(value)) return by
  const keys = Object.keys(value)
  const key = keys[at % Math.max(keys.length, 1)]
  if (how === 'add' || key === undefined) return { ...value, surprise: by }
  if (how === 'remove') return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  const inner: unknown = Reflect.get(value, key)
  const deeper = typeof inner === 'object' && inner !== null && at % 2 === 1
  return { ...value, [key]: deeper ? spoil([inner, by, at >> 1, how]) : by }
}
