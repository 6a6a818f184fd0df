import type { Mapping } from '../raw.ts'
import { isMapping, textAt } from '../raw.ts'
import { isSwitchedOn } from '../rules/switch.ts'
import { triggerAliases } from '../rules/triggers.ts'

/** Fields of an entry under the manifest's names; null takes a field away. */
export type EntryFields = Readonly<Record<string, unknown>>

/** The change of one key of the entry as it is written. */
export type KeyChange =
  | { readonly kind: 'set'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'remove'; readonly key: string }

/** The changes that make a difference, on the names that the entry itself uses: an alias stays the alias. */
export function keyChanges(entry: Mapping, fields: EntryFields): readonly KeyChange[] {
  return Object.entries(fields).flatMap(([field, value]): readonly KeyChange[] => {
    const present = spellings(field).filter((key) => Object.hasOwn(entry, key))
    if (value === null || value === undefined) return present.map((key) => ({ kind: 'remove', key }))
    const key = present[0]
    if (field === 'enabled' && typeof value === 'boolean' && isSwitchedOn(entry['enabled']) === value)
      return []
    if (key === undefined) return [{ kind: 'set', key: field, value }]
    return sameData(entry[key], value) ? [] : [{ kind: 'set', key, value }]
  })
}

export function changedEntry(entry: Mapping, changes: readonly KeyChange[]): Mapping {
  const result: Record<string, unknown> = { ...entry }
  for (const change of changes) {
    if (change.kind === 'set') result[change.key] = change.value
    else delete result[change.key]
  }
  return result
}

export function indexOfSlug(entries: readonly unknown[], slug: string): number {
  return entries.findIndex((entry) => textAt(entry, 'slug') === slug)
}

export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameData(item, b[index]))
  }
  if (!isMapping(a) || !isMapping(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key]))
}

function spellings(field: string): readonly string[] {
  const alias = Object.entries(triggerAliases).find(([name]) => name === field)?.[1]
  return alias === undefined ? [field] : [field, alias]
}
