import type { connections } from '@svc/db'
import { badBindings } from '@svc/services'
import { badChoice } from './session-connections.ts'

/** Connections by the slugs of their connectors, as a create of a session takes them. */
export type Bindings = Readonly<Record<string, { readonly connection_id: string }>>

export const chosenBy = (bindings: Bindings): Map<string, string> =>
  new Map(Object.entries(bindings).map(([slug, { connection_id }]) => [slug, connection_id]))

export const bindingsOf = (chosen: ReadonlyMap<string, string>): Record<string, { connection_id: string }> =>
  Object.fromEntries([...chosen].map(([slug, connection_id]) => [slug, { connection_id }]))

export interface Choosing {
  /** The connectors among which there is a choice. */
  readonly usable: readonly string[]
  /** Whose they are, for people. */
  readonly whose: string
  /** The connections that may be chosen. */
  readonly known: readonly connections.ConnectionChoice[]
}

/** Refuses choices that are none: of a connector that may not be used, or of a connection that is not to be had. */
export function requireChoices(
  chosen: ReadonlyMap<string, string>,
  { usable, whose, known }: Choosing,
): void {
  const unusable = `is no connector that ${whose} may use; it may use ${usable.join(', ') || 'none'}`
  const wrong = [...chosen].flatMap(([slug, connection_id]) => {
    const message = usable.includes(slug) ? badChoice({ slug, connection_id }, known) : unusable
    return message === null ? [] : [{ slug, message }]
  })
  if (wrong.length > 0) throw badBindings(wrong)
}
