import type { Permission } from './agent-file.ts'

export type Action = 'allow' | 'ask' | 'deny'

interface Rule {
  readonly permission: string
  readonly pattern: string
  readonly action: Action
}

/** The frontmatter's rules in their order; of those that match, the last decides. */
export function rulesOf(permission: Permission | undefined): readonly Rule[] {
  if (permission === undefined) return []
  if (typeof permission === 'string') return [{ permission: '*', pattern: '*', action: permission }]
  return Object.entries(permission).flatMap(([name, given]) =>
    typeof given === 'string'
      ? [{ permission: name, pattern: '*', action: given }]
      : Object.entries(given).map(([pattern, action]) => ({ permission: name, pattern, action })),
  )
}

const severity: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 }

/** The strictest verdict over all patterns; what no rule names is allowed, since the sandbox is the fence. */
export function decide(rules: readonly Rule[], permission: string, patterns: readonly string[]): Action {
  const verdicts = patterns.map(
    (pattern) =>
      rules.findLast((rule) => matches(rule.permission, permission) && matches(rule.pattern, pattern))
        ?.action ?? 'allow',
  )
  return verdicts.reduce((worst, verdict) => (severity[verdict] > severity[worst] ? verdict : worst), 'allow')
}

/** True when no use of it can be allowed: the model is then not told of it at all. */
export function isForbidden(rules: readonly Rule[], permission: string): boolean {
  const last = rules.findLastIndex((rule) => matches(rule.permission, permission) && rule.pattern === '*')
  if (rules[last]?.action !== 'deny') return false
  return !rules.slice(last + 1).some((rule) => matches(rule.permission, permission) && rule.action !== 'deny')
}

/** `*` is any text, `?` any character; a trailing ` *` also stands for nothing. */
export function matches(pattern: string, text: string): boolean {
  if (pattern.endsWith(' *') && pattern.slice(0, -2) === text) return true
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(text)
}

/** The commands of a line, so that one that is asked for cannot hide behind another. */
export function commandsOf(line: string): string[] {
  const parts = line.split(/&&|\|\||[;|&\n]/).map((part) => part.trim())
  const commands = parts.filter((part) => part !== '')
  return commands.length === 0 ? [line] : commands
}
