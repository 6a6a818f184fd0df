import { type EventType, eventTypes } from './catalogue.ts'

/** The types that a pattern means: itself, all of a noun such as `cr.*`, or all with `*`; none when no type is like that. `ping` goes only to the subscription that is tried. */
export function typesOf(pattern: string): readonly EventType[] {
  const listed = eventTypes.filter((type) => type !== 'ping')
  if (pattern === '*') return listed
  if (!pattern.endsWith('.*')) return listed.filter((type) => type === pattern)
  const noun = pattern.slice(0, -1)
  return listed.filter((type) => type.startsWith(noun))
}

/** A trial matches its own name alone. */
export function matches(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') && type !== 'ping' ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
  )
}
