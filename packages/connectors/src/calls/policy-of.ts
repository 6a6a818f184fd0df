import { durationMs } from '@svc/facts'
import { connectorOf } from '../connectors/definition.ts'
import type { JudgedCall } from './judge.ts'

const dayMs = 86_400_000

/** The terms of a decision, as the rule that asks for a person sets them. */
export function policyOf({ row, decision }: Pick<JudgedCall, 'row' | 'decision'>): {
  readonly expires_ms: number
  readonly second_person: boolean
} {
  const { index } = decision.rule
  const policy = index === null ? undefined : connectorOf(row).policies[index]
  return {
    expires_ms: (policy && durationMs(policy.expires)) ?? dayMs,
    second_person: policy?.second_person ?? false,
  }
}
