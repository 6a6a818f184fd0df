import { Attribute, SchemaDefinition } from 'scimmy/types'

export interface AttributePath {
  /** The keys to follow, as they are written in a document: `name`, `givenName`. */
  readonly keys: readonly string[]
  /** The attribute at the end; null for a whole schema extension. */
  readonly attribute: Attribute | null
  /** The attribute that holds it, when it is a sub-attribute. */
  readonly parent: Attribute | null
}

/** The attribute that a path of RFC 7644 section 3.10 names, whatever its case; null for one that no schema declares. */
export function resolveAttribute(definition: SchemaDefinition, path: string): AttributePath | null {
  const extension = extensionOf(definition, path)
  const prefix = extension?.id ?? (isBelow(definition, path) ? definition.id : null)
  const rest = prefix === null ? path : path.slice(prefix.length + 1)
  const outer = extension === null ? [] : [extension.id]
  if (rest === '') return extension === null ? null : { keys: outer, attribute: null, parent: null }
  const [name = '', sub, ...more] = rest.split('.')
  const parent = named((extension ?? definition).attributes, name)
  if (!parent || more.length > 0) return null
  if (sub === undefined) return { keys: [...outer, parent.name], attribute: parent, parent: null }
  const attribute = named(parent.subAttributes ?? [], sub)
  return attribute ? { keys: [...outer, parent.name, attribute.name], attribute, parent } : null
}

function extensionOf(definition: SchemaDefinition, path: string): SchemaDefinition | null {
  const found = definition.attributes.find(
    (one: unknown) => one instanceof SchemaDefinition && isBelow(one, path),
  )
  return found instanceof SchemaDefinition ? found : null
}

function isBelow({ id }: SchemaDefinition, path: string): boolean {
  const [schema, plain] = [id.toLowerCase(), path.toLowerCase()]
  return plain === schema || plain.startsWith(`${schema}:`)
}

function named(attributes: readonly Attribute[], name: string): Attribute | undefined {
  return attributes.find((one) => one instanceof Attribute && one.name.toLowerCase() === name.toLowerCase())
}

export function isBoolean(attribute: Attribute | null): boolean {
  return attribute?.type === 'boolean'
}

export function isComplex(attribute: Attribute | null): boolean {
  return attribute?.type === 'complex'
}

export function isMultiValued(attribute: Attribute | null): boolean {
  return attribute?.config.multiValued === true
}

/** Set by the service alone. */
export function isReadOnly(attribute: Attribute | null): boolean {
  return attribute?.config.mutable === false || attribute?.config.mutable === 'readOnly'
}
