import { isMapping, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'

/**
 * Version 1 in the places of version 2: agents by name whether they were tables or a list of tables, and the
 * runtime's table under its name of today.
 */
export function legacyLayout(data: Mapping): Mapping {
  const runtimeTable = data['agentrt'] ?? data['opencode']
  return {
    ...data,
    ...(Array.isArray(data['agents']) && { agents: byName(data['agents']) }),
    ...(runtimeTable !== undefined && { agentrt: runtimeTable }),
  }
}

/** Agents without a usable name stay where they are, for the verdict to point at. */
function byName(list: readonly unknown[]): Mapping | readonly unknown[] {
  const names = list.map((agent) => textAt(agent, 'name'))
  if (!list.every(isMapping) || names.some((name) => !name) || new Set(names).size < names.length) return list
  return Object.fromEntries(list.map((agent, index) => [names[index] ?? '', agent]))
}
