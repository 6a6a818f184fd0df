import { type Clause, clauseText, holds } from './clauses.ts'
import { glob } from './glob.ts'
import type { ActionState, Decision, JsonObject, Risk } from './shapes.ts'

/** A rule of a connector, as its manifest has it. */
export interface Policy {
  readonly match: string
  readonly action: Decision
  /** All of them must hold; none, or an empty list, asks nothing of the arguments. */
  readonly when?: readonly Clause[]
}

/** The decision where no rule matches. `risk`: what reads runs, everything else asks a person. */
export type DefaultAction = Decision | 'risk'

export interface Rules {
  readonly slug: string
  readonly policies: readonly Policy[]
  readonly default_action: DefaultAction
}

export interface DecidedAction {
  readonly action: string
  readonly risk: Risk
  readonly state: ActionState
}

/** The origin of a decision: `index` and `match` are of the policy that matched, null where none did. */
export interface DecidingRule {
  readonly source: 'policy' | 'default' | 'changed'
  readonly index: number | null
  readonly match: string | null
}

/** A policy that was looked at, in order. `why` says it in words. */
export interface DecisionStep {
  readonly index: number
  readonly match: string
  readonly matched: boolean
  readonly why: string
}

export interface DecisionMade {
  readonly decision: Decision
  readonly risk: Risk
  readonly rule: DecidingRule
  /** Whether no arguments could make it other than `block`. */
  readonly hidden: boolean
  readonly steps: readonly DecisionStep[]
}

/** Decides on a call: the first policy that matches decides, else the connector's default. */
export function decide(input: {
  readonly connector: Rules
  readonly action: DecidedAction
  readonly args: JsonObject
}): DecisionMade {
  const { connector, action, args } = input
  const steps: DecisionStep[] = []
  for (const [index, policy] of connector.policies.entries()) {
    const step = stepOf(policy, index, connector.slug, action.action, args)
    steps.push(step)
    if (step.matched) break
  }
  const last = steps.at(-1)
  const chosen =
    last?.matched === true ? { index: last.index, match: last.match } : { index: null, match: null }
  const policy = chosen.index === null ? undefined : connector.policies[chosen.index]
  const asked = policy?.action ?? byDefault(connector.default_action, action.risk)
  const changed = action.state === 'changed' && asked === 'always_run'
  return {
    decision: changed ? 'require_approval' : asked,
    risk: action.risk,
    rule: { source: changed ? 'changed' : policy ? 'policy' : 'default', ...chosen },
    hidden: isHidden(connector, action),
    steps,
  }
}

/**
 * Whether every call of the action is blocked, whatever its arguments. Clauses count as what may hold: clauses that
 * contradict each other, or that together leave nothing out, are not seen through, and such calls are blocked one by one.
 */
export function isHidden(connector: Rules, action: Pick<DecidedAction, 'action' | 'risk'>): boolean {
  for (const policy of connector.policies) {
    if (!namesIt(policy.match, connector.slug, action.action)) continue
    if (policy.action !== 'block') return false
    if ((policy.when ?? []).length === 0) return true
  }
  return byDefault(connector.default_action, action.risk) === 'block'
}

function stepOf(
  { match, when = [] }: Policy,
  index: number,
  slug: string,
  action: string,
  args: JsonObject,
): DecisionStep {
  if (!namesIt(match, slug, action)) return { index, match, matched: false, why: 'the name does not match' }
  const failed = when.find((clause) => !holds(clause, args))
  if (failed) return { index, match, matched: false, why: `does not hold: ${clauseText(failed)}` }
  const held = when.map(clauseText).join(', ')
  return {
    index,
    match,
    matched: true,
    why: held === '' ? 'the name matches' : `the name matches, and ${held}`,
  }
}

function namesIt(match: string, slug: string, action: string): boolean {
  const matches = glob(match)
  return matches(action) || matches(`${slug}.${action}`)
}

function byDefault(action: DefaultAction, risk: Risk): Decision {
  if (action !== 'risk') return action
  return risk === 'read' ? 'always_run' : 'require_approval'
}
