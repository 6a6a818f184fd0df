/** An agent as the runtime lists it: its rules in their order, of which the last one that fits decides. */
export interface ListedAgent {
  readonly name: string
  readonly permission: readonly {
    readonly permission: string
    readonly pattern: string
    readonly action: string
  }[]
}

/** By the agent's name, the key under which the session's settings have the last word on what it may load. */
export type SkillFences = Readonly<Record<string, string>>

/** Nothing but these, in the runtime's own words. */
export function onlyThese(names: readonly string[]): Readonly<Record<string, 'allow' | 'deny'>> {
  return { '*': 'deny', ...Object.fromEntries(names.map((name) => [name, 'allow' as const])) }
}

/**
 * An agent's own file has the last word on its permissions, and may let it load skills that the platform did not grant.
 * Says which agents need a rule of their own behind that: under a key that the file does not have, for else the rule
 * would take the place of the file's and not the last one.
 */
export function fencesFor(
  agents: readonly ListedAgent[],
  skills: readonly string[],
  known: SkillFences,
): SkillFences {
  const open = agents.filter(({ permission }) => !isFenced(permission, skills))
  return Object.fromEntries(
    open.map(({ name, permission }) => {
      const taken = new Set([...permission.map((rule) => rule.permission), known[name]])
      let key = 'skill*'
      while (taken.has(key)) key += '*'
      return [name, key]
    }),
  )
}

function isFenced(rules: ListedAgent['permission'], skills: readonly string[]): boolean {
  const about = rules.filter(({ permission }) => fits(permission, 'skill'))
  const fence = about.findLastIndex(({ pattern, action }) => pattern === '*' && action === 'deny')
  const later = about.slice(fence + 1)
  return fence >= 0 && later.every(({ pattern, action }) => action === 'deny' || skills.includes(pattern))
}

/** As the runtime matches: `*` is any text, `?` one character. */
function fits(pattern: string, name: string): boolean {
  const plain = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  const source = plain.replaceAll(/\*+/g, '.*').replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(name)
}
