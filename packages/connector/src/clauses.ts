import { glob } from './glob.ts'
import type { JsonObject } from './shapes.ts'

type Scalar = string | number | boolean | null

/**
 * A demand of a rule on the arguments, one of four at a place. `path` is dotted, a name followed by `[]` means any element of
 * that list; `\` takes the next character as it is.
 */
export type Clause = { readonly path: string } & (
  | { readonly equals: Scalar }
  | { readonly in: readonly Scalar[] }
  | { readonly matches: string }
  | { readonly exists: boolean }
)

/** Whether a clause holds: a place that is not there holds for `exists: false` alone. */
export function holds(clause: Clause, args: JsonObject): boolean {
  const found = valuesAt(args, clause.path)
  if ('exists' in clause) return found.length > 0 === clause.exists
  if ('equals' in clause) return found.includes(clause.equals)
  if ('in' in clause) {
    const wanted = new Set<unknown>(clause.in)
    return found.some((value) => wanted.has(value))
  }
  const matches = glob(clause.matches)
  return found.some((value) => typeof value === 'string' && matches(value))
}

/** A clause in words, for the page that says why. */
export function clauseText(clause: Clause): string {
  if ('exists' in clause) return `${clause.path} ${clause.exists ? 'exists' : 'does not exist'}`
  if ('equals' in clause) return `${clause.path} equals ${JSON.stringify(clause.equals)}`
  if ('in' in clause) return `${clause.path} is in ${JSON.stringify(clause.in)}`
  return `${clause.path} matches ${clause.matches}`
}

interface Step {
  readonly name: string
  /** The number of lists that are opened after the name. */
  readonly lists: number
}

/** Every value at the path, own keys alone. Each part of the arguments is looked at once. */
function valuesAt(args: JsonObject, path: string): readonly unknown[] {
  let values: readonly unknown[] = [args]
  for (const { name, lists } of stepsOf(path)) {
    // A path that begins with `[]`, or has an empty name, goes no further than where it is.
    if (name !== '' || lists === 0) values = values.flatMap((value) => ownValue(value, name))
    for (let list = 0; list < lists; list++)
      values = values.flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : []))
  }
  return values
}

function ownValue(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const own = Object.getOwnPropertyDescriptor(value, name)
  return own === undefined ? [] : [own.value]
}

function stepsOf(path: string): readonly Step[] {
  const steps: { name: string; lists: number }[] = [{ name: '', lists: 0 }]
  for (let index = 0; index < path.length; index++) {
    const step = steps.at(-1) ?? { name: '', lists: 0 }
    const one = path[index] ?? ''
    if (one === '.') steps.push({ name: '', lists: 0 })
    else if (one === '[' && path[index + 1] === ']') {
      step.lists++
      index++
    } else step.name += one === '\\' ? (path[++index] ?? one) : one
  }
  return steps
}
