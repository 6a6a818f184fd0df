import { envNamePattern, platformNamePattern, slugPattern, upperEnvNamePattern } from '@svc/facts'
import { z } from 'zod'
import { relativePathPattern } from '../model/relative-path.ts'
import { didYouMean, describedValue } from '../suggest.ts'

/** The small vocabulary that the manifest's shapes are written in. */

const slugRule =
  'lowercase letters, digits, `_` and `-`, starting with a letter or digit, at most 128 characters'

export const slug = z.string().regex(slugPattern, `must be a slug: ${slugRule}`)
export const slugKey = z.string().regex(slugPattern, `is not a valid name: ${slugRule}`)
export const filled = z.string().min(1)

const envName = z
  .string()
  .regex(
    envNamePattern,
    'must be the name of an environment variable: letters, digits and `_`, not starting with a digit',
  )

const upperRule = 'capital letters, digits and `_`, not starting with a digit'
const upperName = z.string().regex(upperEnvNamePattern, `must be a name of ${upperRule}`)
const upperNameKey = z.string().regex(upperEnvNamePattern, `is not a valid name: ${upperRule}`)

/** A name that people may use: what begins with `SVC_` is the platform's. */
function unreserved(name: z.ZodString) {
  return name
    .refine(
      (text) => !platformNamePattern.test(text),
      'names beginning with `SVC_` are reserved for the platform',
    )
    .meta({ not: { pattern: platformNamePattern.source } })
}

export const ownEnvName = unreserved(envName)
/** The name of a secret, as loosely as the manifest takes it. */
export const ownSecret = unreserved(filled)
export const ownUpperName = unreserved(upperName)
export const ownUpperNameKey = unreserved(upperNameKey)

/** A path inside the repository: it neither starts at the root nor climbs out. */
export const relativePath = z
  .string()
  .min(1)
  .regex(relativePathPattern, 'must be a relative path without `..`')

/** A key whose mere presence is wrong. */
export function forbidden(reason: string) {
  return z.never({ error: reason }).optional()
}

/** Text of so many characters, counted as people and JSON Schema do, not in UTF-16 units. */
export function characters(min: number, max: number) {
  return z
    .string()
    .refine((text) => {
      const count = text.length > max * 2 ? Infinity : [...text].length
      return count >= min && count <= max
    }, `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max })
}

/** Matches exactly these words, in any case. Written out letter by letter: JSON Schema patterns have no flags. */
export function anyCase(...words: readonly string[]): RegExp {
  const letters = (word: string) =>
    word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
  return new RegExp(`^(?:${words.map(letters).join('|')})$`)
}

/** One of these words in any case, or a message that says the rule and the nearest of them. */
export function wordOf(words: readonly string[], rule: string) {
  return z.string().regex(anyCase(...words), {
    error: ({ input }) =>
      `${rule}, not ${describedValue(input)}${typeof input === 'string' ? didYouMean(input, words) : ''}`,
  })
}

export function exactly(...words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.join('|')})$`)
}

export type Allowlist = 'all' | 'none' | readonly string[]

/** `all`, `none` or a list. */
export function allowlist<Item extends z.ZodType<string>>(item: Item) {
  return z.union([z.array(item), z.enum(['all', 'none'])], {
    error: 'must be a list of names, `all` or `none`',
  })
}
