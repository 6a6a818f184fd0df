import type { JsonObject } from '@svc/connector'
import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { upstreamLimits } from '../../wire/limits.ts'
import type { SchemaBudget } from '../catalogue/schema-budget.ts'
import { shortened } from '../catalogue/words.ts'

const scalars: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: ['string', 'integer'] },
}

/** Schemas of the arguments of one field. Input objects stand once below `$defs`, also those that hold themselves. */
export function inputSchemas(budget: SchemaBudget) {
  const defs = new Map<string, JsonObject>()
  let nodes = 0

  function schemaOf(type: GraphQLInputType): JsonObject {
    if (nodes >= upstreamLimits.schema_nodes) return {}
    nodes++
    budget.spend(1)
    if (isNonNullType(type)) return schemaOf(type.ofType)
    if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) }
    if (isEnumType(type)) {
      const names = type.getValues().map(({ name }) => name)
      return names.length > 500 ? { type: 'string' } : { type: 'string', enum: names }
    }
    if (!isInputObjectType(type)) return scalars[type.name] ?? {}
    if (!defs.has(type.name)) {
      defs.set(type.name, {})
      const fields = Object.values(type.getFields())
      const required = fields.filter(isRequiredInputField).map(({ name }) => name)
      defs.set(type.name, {
        type: 'object',
        properties: Object.fromEntries(
          fields.map(({ name, type: inner, description }) => [name, withWords(schemaOf(inner), description)]),
        ),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      })
    }
    return { $ref: `#/$defs/${type.name}` }
  }

  return { schemaOf, defs: (): JsonObject => (defs.size === 0 ? {} : { $defs: Object.fromEntries(defs) }) }
}

export function withWords(schema: JsonObject, description: string | null | undefined): JsonObject {
  return description ? { ...schema, description: shortened(description, 1_000) } : schema
}

const fieldsShown = 40

/** Scalars of the type, and those of the objects in it; null for a type without fields. `{ id owner { login } }`. */
export function defaultSelection(type: GraphQLOutputType, levels = 2): string | null {
  const named = getNamedType(type)
  if (isLeafType(named)) return null
  // A union is told apart by its name alone.
  if (!isObjectType(named) && !isInterfaceType(named)) return '{ __typename }'
  const fields = Object.values(named.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).slice(0, fieldsShown)
  const inner =
    levels < 2
      ? []
      : fields
          .filter((field) => !isLeafType(getNamedType(field.type)))
          .slice(0, fieldsShown)
          .flatMap((field) => {
            const selection = defaultSelection(field.type, levels - 1)
            return selection === null || selection === '{ __typename }' ? [] : [`${field.name} ${selection}`]
          })
  const all = [...leaves.map(({ name }) => name), ...inner]
  return all.length === 0 ? '{ __typename }' : `{ ${all.join(' ')} }`
}
