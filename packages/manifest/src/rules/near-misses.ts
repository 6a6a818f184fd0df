import { z } from 'zod'
import type { Finding } from '../issue.ts'
import { warning } from '../issue.ts'
import { isMapping } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { manifestShape } from '../schema/manifest.ts'
import { nearest } from '../suggest.ts'

/** Other keys are allowed in these places, but one that is nearly a known key is most likely a slip. */
export function nearMisses(manifest: Mapping): readonly Finding[] {
  let guesses = maxGuesses
  const misses = (value: unknown, path: Finding['path'], known: readonly string[]) =>
    Object.keys(isMapping(value) ? value : {}).flatMap((key) => {
      if (!isMapping(value) || known.includes(key) || guesses === 0) return []
      guesses--
      return miss(value, path, key, known)
    })
  return [
    ...misses(manifest, [], Object.keys(manifestShape.shape)),
    ...sections.flatMap(({ name, known }) => {
      const value = manifest[name]
      if (!Array.isArray(value)) return misses(value, [name], known)
      return value.flatMap((entry: unknown, index) => misses(entry, [name, index], known))
    }),
  ]
}

/** The mappings of the top level, and those of its lists, which may have keys beside the known ones. */
const sections = Object.entries(manifestShape.shape).flatMap(([name, optional]) => {
  const schema = optional instanceof z.ZodOptional ? optional.unwrap() : optional
  const mapping = schema instanceof z.ZodArray ? schema.element : schema
  return mapping instanceof z.ZodObject ? [{ name, known: allowedKeys(mapping) }] : []
})

function allowedKeys({ shape }: z.ZodObject): readonly string[] {
  return Object.entries(shape).flatMap(([key, schema]) => (isForbidden(schema) ? [] : [key]))
}

function isForbidden(schema: unknown): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodNever
}

function miss(
  mapping: Mapping,
  path: Finding['path'],
  key: string,
  known: readonly string[],
): readonly Finding[] {
  const candidates = known.filter((name) => name.length >= shortestGuessed)
  const name = nearest(key, candidates)
  if (name === undefined || Object.hasOwn(mapping, name)) return []
  return [warning([...path, key], `nothing reads this key; did you mean \`${name}\`?`)]
}

/** Keys of a file that are looked at this closely; no person slips more often. */
const maxGuesses = 100

/** Shorter names are one letter away from too many other words. */
const shortestGuessed = 5
