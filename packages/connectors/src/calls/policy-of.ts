import { durationSeconds } from '@svc/facts'
import { connectorOf } from '../connectors/definition.ts'
import type { JudgedCall } from './judge.ts'

const daySeconds = 86_400

/** What the rule that asks for a person says of the decision: the time that it has, and who may not make it. */
export function policyOf({ row, decision }: Pick<JudgedCall, 'row' | 'decision'>): {
  readonly expires_seconds: number
  readonly second_person: boolean
} {
  const { index } = decision.rule
  const policy = index === null ? undefined : connectorOf(row).policies[index]
  return {
    expires_seconds: policy === undefined ? daySeconds : durationSeconds(policy.expires),
    second_person: policy?.second_person ?? false,
  }
}
