import { createHash } from 'node:crypto'

export const toolNameLength = 48
const hashLength = 6

interface Named {
  readonly slug: string
  readonly action: string
}

/**
 * The names of actions as MCP tools, in the order given: `<slug>__<action>`, letters, digits, `_` and `-` alone, at most
 * 48 characters, no two alike. One that is cut, or that would be like another, ends in 6 characters of its hash.
 */
export function toolNames(actions: readonly Named[]): readonly string[] {
  const plain = actions.map(plainName)
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  const taken = new Set(plain.filter((name) => name.length <= toolNameLength && counts.get(name) === 1))
  return actions.map((action, index) => {
    const name = plain[index] ?? ''
    if (taken.has(name)) return name
    for (let round = 0; ; round++) {
      const hashed = withHash(name, action, round)
      if (taken.has(hashed)) continue
      taken.add(hashed)
      return hashed
    }
  })
}

function plainName({ slug, action }: Named): string {
  return `${slug}__${action}`.replaceAll(/[^A-Za-z0-9_-]/gu, '_')
}

function withHash(name: string, { slug, action }: Named, round: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([slug, action, round]))
    .digest('base64url')
  return `${name.slice(0, toolNameLength - hashLength - 1)}_${hash.slice(0, hashLength)}`
}
