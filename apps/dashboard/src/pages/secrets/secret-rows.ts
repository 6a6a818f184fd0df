import type { Secret, SecretList } from '@svc/sdk'

/** A name that the manifest or a person gave, whether or not it has a value. */
export interface SecretRow {
  readonly name: string
  readonly need: 'required' | 'optional' | null
  /** Null where no value is set. */
  readonly secret: Secret | null
}

/** Required and missing ones first, then required, optional, and all others; each by name. */
export function secretRows({ items, required, optional }: SecretList): readonly SecretRow[] {
  const set = new Map(items.map((secret) => [secret.name, secret]))
  const names = new Set([...required, ...optional, ...set.keys()])
  const rank = ({ need, secret }: SecretRow) =>
    need === 'required' ? (secret === null ? 0 : 1) : need === 'optional' ? 2 : 3
  return [...names]
    .map((name): SecretRow => {
      const need = required.includes(name) ? 'required' : optional.includes(name) ? 'optional' : null
      return { name, need, secret: set.get(name) ?? null }
    })
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}
