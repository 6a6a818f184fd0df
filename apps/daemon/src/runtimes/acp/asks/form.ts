import { z } from 'zod'
import { RuntimeRefusal } from '../../runtime.ts'

const Choice = z.object({ const: z.string(), title: z.string().optional() })

/** One field of a form, by the part of JSON Schema that the protocol allows. */
const Property = z
  .object({
    type: z.string().catch('string'),
    title: z.string().nullish(),
    description: z.string().nullish(),
    enum: z.array(z.string()).nullish(),
    oneOf: z.array(Choice).nullish().catch(undefined),
    minimum: z.number().nullish(),
    maximum: z.number().nullish(),
    minLength: z.number().nullish(),
    maxLength: z.number().nullish(),
    items: z
      .object({ enum: z.array(z.string()).nullish(), anyOf: z.array(Choice).nullish() })
      .nullish()
      .catch(undefined),
  })
  .loose()
type Property = z.infer<typeof Property>

export const FormRequest = z.object({
  mode: z.literal('form'),
  message: z.string().catch(''),
  requestedSchema: z.object({
    properties: z.record(z.string(), Property).default({}),
    required: z.array(z.string()).nullish(),
  }),
})
export type Form = z.infer<typeof FormRequest>

type Value = string | number | boolean | string[]

/** A question for each field of a form, in the shape of the platform's questions. */
export function questionsOf({ message, requestedSchema }: Form): unknown[] {
  return Object.entries(requestedSchema.properties).map(([name, property]) => {
    const options = choicesOf(property).map((label) => ({ label, description: '' }))
    const words = [message, property.description].filter((text) => text != null && text !== '')
    return {
      question: words.join('\n') || (property.title ?? name),
      header: property.title ?? name,
      options,
      ...(property.type === 'array' ? { multiple: true } : {}),
      ...(options.length === 0 ? { custom: true } : {}),
    }
  })
}

function choicesOf(property: Property): readonly string[] {
  if (property.type === 'boolean') return ['Yes', 'No']
  const listed = property.enum ?? property.items?.enum
  if (listed != null) return listed
  const titled = property.oneOf ?? property.items?.anyOf ?? []
  return titled.map((choice) => choice.title ?? choice.const)
}

/** The content of the form for these answers, one list a field; 400 names the field that an answer does not fit. */
export function answersTo({ requestedSchema }: Form, answers: readonly string[][]): Record<string, Value> {
  const required = new Set(requestedSchema.required ?? [])
  const content: Record<string, Value> = {}
  for (const [index, [name, property]] of Object.entries(requestedSchema.properties).entries()) {
    const given = (answers[index] ?? []).filter((answer) => answer !== '')
    if (given.length === 0 && !required.has(name)) continue
    content[name] = valueOf(name, property, given)
  }
  return content
}

function valueOf(name: string, property: Property, given: readonly string[]): Value {
  const choices = choicesOf(property)
  const wrong = choices.length > 0 ? given.find((answer) => !choices.includes(answer)) : undefined
  if (wrong !== undefined)
    throw unfit(
      name,
      `${JSON.stringify(wrong)} is none of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`,
    )
  const [first] = given
  if (first === undefined) throw unfit(name, 'an answer is needed')
  switch (property.type) {
    case 'boolean':
      return first === 'Yes'
    case 'array':
      return given.map((answer) => constOf(property, answer))
    case 'number':
    case 'integer':
      return numberOf(name, property, first)
    default: {
      const { minLength: min, maxLength: max } = property
      if ((min != null && first.length < min) || (max != null && first.length > max))
        throw unfit(name, `it must have ${min ?? 0} to ${max ?? 'any number of'} characters`)
      return constOf(property, first)
    }
  }
}

/** The value behind the title that people choose. */
function constOf(property: Property, answer: string): string {
  const titled = property.oneOf ?? property.items?.anyOf ?? []
  return titled.find((choice) => (choice.title ?? choice.const) === answer)?.const ?? answer
}

function numberOf(name: string, { type, minimum, maximum }: Property, answer: string): number {
  const value = Number(answer)
  const fits =
    answer.trim() !== '' &&
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity)
  if (fits) return value
  const kind = type === 'integer' ? 'a whole number' : 'a number'
  const range = minimum == null && maximum == null ? '' : ` from ${minimum ?? '-∞'} to ${maximum ?? '∞'}`
  throw unfit(name, `it must be ${kind}${range}`)
}

function unfit(name: string, why: string): RuntimeRefusal {
  return new RuntimeRefusal(`The answer to ${name} does not fit: ${why}`, 400)
}
