import type { JsonObject } from '@svc/connector'
import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
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
      if (names.length > 500) return { type: 'string' }
      budget.spend(0, names.join('').length)
      return { type: 'string', enum: names }
    }
    if (!isInputObjectType(type)) return scalars[type.name] ?? {}
    if (!defs.has(type.name)) {
      defs.set(type.name, {})
      const fields = fieldsOf(type)
      if (fields.length > upstreamLimits.schema_nodes) return { type: 'object' }
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

const fieldLists = new WeakMap<object, readonly unknown[]>()

/** The fields of a type, listed once however many actions share it. */
function fieldsOf<Field>(type: { getFields: () => Readonly<Record<string, Field>> }): readonly Field[] {
  const known = fieldLists.get(type)
  // The list of a type is of what its own getFields says.
  if (known !== undefined) return known as readonly Field[]
  const fields = Object.values(type.getFields())
  fieldLists.set(type, fields)
  return fields
}

export function withWords(schema: JsonObject, description: string | null | undefined): JsonObject {
  return description ? { ...schema, description: shortened(description, 1_000) } : schema
}

const fieldsShown = 40

/** Selections by type, each made once: scalars, and those of the objects in it. `{ id owner { login } }`. */
export function defaultSelections() {
  const made = new Map<string, string | null>()

  /** null for a type without fields. */
  function selectionFor(type: GraphQLOutputType, levels = 2): string | null {
    const named = getNamedType(type)
    const key = `${levels} ${named.name}`
    const known = made.get(key)
    if (known !== undefined) return known
    const selection = newSelection(named, levels)
    made.set(key, selection)
    return selection
  }

  function newSelection(named: GraphQLNamedOutputType, levels: number): string | null {
    if (isLeafType(named)) return null
    // A union is told apart by its name alone.
    if (!isObjectType(named) && !isInterfaceType(named)) return '{ __typename }'
    const fields = fieldsOf(named).filter(({ args }) => !args.some(isRequiredArgument))
    const isLeaf = (field: (typeof fields)[number]) => isLeafType(getNamedType(field.type))
    const leaves = fields.filter(isLeaf).slice(0, fieldsShown)
    const objects = levels < 2 ? [] : fields.filter((field) => !isLeaf(field)).slice(0, fieldsShown)
    const inner = objects.flatMap((field) => {
      const selection = selectionFor(field.type, levels - 1)
      return selection === null || selection === '{ __typename }' ? [] : [`${field.name} ${selection}`]
    })
    const all = [...leaves.map(({ name }) => name), ...inner]
    return all.length === 0 ? '{ __typename }' : `{ ${all.join(' ')} }`
  }

  return selectionFor
}
