import { envNamePattern, secretNameLength } from '@svc/facts'
import { UsageError } from '../../failures.ts'

export interface Assignment {
  readonly name: string
  /** Null when the value is to be read from stdin. */
  readonly value: string | null
}

/** Reads NAME=VALUE words, all before any is written. A refusal never repeats a value. */
export function parseAssignments(words: readonly string[]): Assignment[] {
  const assignments = words.map((word, index): Assignment => {
    const at = word.indexOf('=')
    if (at < 1)
      throw new UsageError(`argument ${index + 1} is not NAME=VALUE`, 'NAME=- reads the value from stdin')
    const name = word.slice(0, at)
    assertSecretName(name)
    const value = word.slice(at + 1)
    return { name, value: value === '-' ? null : value }
  })
  if (assignments.filter(({ value }) => value === null).length > 1) {
    throw new UsageError('only one value can be read from stdin', 'set the others by calls of their own')
  }
  return assignments
}

export function assertSecretName(name: string): void {
  if (!envNamePattern.test(name) || name.length > secretNameLength) {
    throw new UsageError(
      `${name} is not a name for a secret`,
      `use up to ${secretNameLength} letters, digits and _, not starting with a digit`,
    )
  }
}
