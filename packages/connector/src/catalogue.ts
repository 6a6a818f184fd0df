import { canonicalJson } from '@svc/facts'
import { digestOf } from './frozen.ts'
import { type ActionState, type ConnectorAction, risks } from './shapes.ts'

/** An action as the catalogue keeps it. `accepted_digest` is of the form that a person accepted, null where none did. */
export interface CatalogueAction extends ConnectorAction {
  readonly digest: string
  readonly accepted_digest: string | null
  readonly state: ActionState
}

/** The providers whose texts come of the service itself at each listing, and so may turn after a person looked at them. */
const saysItsOwn: ReadonlySet<string> = new Set(['mcp', 'aggregator_a', 'aggregator_b'])

/** The digest of what an action says of itself: description, schema and risk. */
export function actionDigest({ description, input_schema, risk }: Described): string {
  return digestOf(canonicalJson({ description, input_schema, risk }))
}

type Described = Pick<ConnectorAction, 'description' | 'input_schema' | 'risk'>

/**
 * The rows of a catalogue after a listing: those listed, in its order, then those that are gone, which keep what they
 * were. `stored` null is the first listing, which counts as accepted as it is. Of two actions of one name the first counts.
 */
export function nextCatalogue(input: {
  readonly provider: string
  readonly stored: readonly CatalogueAction[] | null
  readonly listed: readonly ConnectorAction[]
}): readonly CatalogueAction[] {
  const { provider, stored, listed } = input
  const known = new Map((stored ?? []).map((row) => [row.action, row]))
  const rows = new Map<string, CatalogueAction>()
  for (const one of listed) {
    if (!rows.has(one.action)) rows.set(one.action, nextAction(provider, stored, known.get(one.action), one))
  }
  const gone = [...known.values()].filter(({ action }) => !rows.has(action))
  return [...rows.values(), ...gone.map((row) => ({ ...row, state: 'gone' as const }))]
}

function nextAction(
  provider: string,
  stored: readonly CatalogueAction[] | null,
  before: CatalogueAction | undefined,
  listed: ConnectorAction,
): CatalogueAction {
  const digest = actionDigest(listed)
  const accepted = (): CatalogueAction => ({ ...listed, digest, accepted_digest: digest, state: 'active' })
  const changed = (accepted_digest: string | null): CatalogueAction => ({
    ...listed,
    digest,
    accepted_digest,
    state: 'changed',
  })
  if (stored === null) return accepted()
  const fromItself = saysItsOwn.has(provider)
  if (before === undefined) return fromItself ? changed(null) : accepted()
  if (before.accepted_digest === digest) return accepted()
  // What waited for a person before goes on waiting, whatever it says now.
  if (before.accepted_digest !== before.digest) return changed(before.accepted_digest)
  const fell = risks.indexOf(listed.risk) < risks.indexOf(before.risk)
  const sameWords = actionDigest({ ...listed, risk: before.risk }) === before.digest
  return fell || (fromItself && !sameWords) ? changed(before.accepted_digest) : accepted()
}
