import { isMapping } from './raw.ts'
import { readFrontmatter } from './source/frontmatter.ts'

/** The wishes of an agent's own file for what runs it; null each where it names none. */
export interface AgentWishes {
  readonly model: string | null
  readonly variant: string | null
  readonly harness: string | null
}

export const noWishes: AgentWishes = { model: null, variant: null, harness: null }

/** The wishes in an agent's own file; a file that cannot be read has none. */
export function agentWishes(text: string): AgentWishes {
  const { data } = readFrontmatter(text)
  if (!isMapping(data)) return noWishes
  const named = (key: string): string | null => {
    const value = data[key]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  return { model: named('model'), variant: named('variant'), harness: named('harness') }
}
