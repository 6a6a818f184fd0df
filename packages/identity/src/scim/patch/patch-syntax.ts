import { z } from 'zod'
import type { SchemaDefinition } from 'scimmy/types'
import {
  type AttributePath,
  isComplex,
  isMultiValued,
  isReadOnly,
  resolveAttribute,
} from '../filter/attribute-path.ts'
import { compileValueFilter, type Matches } from '../filter/filter.ts'
import { type Filter, parseFilter } from '../filter/filter-syntax.ts'
import { refused } from '../refuse.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const maxOperations = 1000

const Operation = z.object({
  op: z.string(),
  path: z.string().max(4096).nullish(),
  value: z.unknown().optional(),
})
const PatchOp = z.object({
  schemas: z.array(z.unknown()),
  Operations: z.array(Operation).min(1).max(maxOperations),
})

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  /** Null when the value itself names the attributes. */
  readonly path: string | null
  readonly value: unknown
}

/** The operations of a PATCH body (RFC 7644 section 3.5.2). Entra writes `Add`, `Replace`, `Remove`. */
export function readPatch(body: unknown): readonly PatchOperation[] {
  const read = PatchOp.safeParse(body)
  if (!read.success) {
    const at = read.error.issues[0]?.path.join('.') ?? ''
    throw refused(
      'invalidSyntax',
      `A PATCH is { schemas, Operations: [{ op, path?, value? }] }; ${at || 'it'} is not so`,
    )
  }
  if (!read.data.schemas.includes(patchSchema))
    throw refused('invalidSyntax', `schemas must name ${patchSchema}`)
  return read.data.Operations.map(({ op, path, value }) => {
    const known = (['add', 'replace', 'remove'] as const).find((name) => name === op.toLowerCase())
    if (known === undefined) throw refused('invalidSyntax', 'op must be add, replace or remove')
    return { op: known, path: path === undefined || path === null || path === '' ? null : path, value }
  })
}

export interface Target extends AttributePath {
  /** `emails[type eq "work"]`: the values that are meant, and how the filter was written. */
  readonly chosen: { readonly matches: Matches; readonly filter: Filter } | null
  /** The sub-attribute behind the brackets. */
  readonly sub: string | null
}

const withFilter = /^([^[\]]+)\[(.*)\](?:\.([A-Za-z$][\w$-]*))?$/s

/**
 * The target that a path names. Throws `invalidPath` when it is not declared, `mutability` when only the service sets
 * it.
 */
export function readTarget(definition: SchemaDefinition, path: string): Target {
  const bracketed = withFilter.exec(path.trim())
  const [, name = path.trim(), filterText, sub] = bracketed ?? []
  const found = resolveAttribute(definition, name)
  if (!found) throw invalid(path)
  if (isReadOnly(found.attribute) || isReadOnly(found.parent))
    throw refused('mutability', `${name} is set by the service alone`)
  if (filterText === undefined) return { ...found, chosen: null, sub: null }
  const { attribute } = found
  if (attribute === null || !isComplex(attribute) || !isMultiValued(attribute)) throw invalid(path)
  const inner = attribute.subAttributes?.find((one) => one.name.toLowerCase() === sub?.toLowerCase())
  if (sub !== undefined && inner === undefined) throw invalid(path)
  const filter = parseFilter(filterText)
  const matches = compileValueFilter(attribute, filter)
  return { ...found, chosen: { matches, filter }, sub: inner?.name ?? null }
}

function invalid(path: string) {
  return refused('invalidPath', `There is no ${path.slice(0, 200)} to change`)
}
