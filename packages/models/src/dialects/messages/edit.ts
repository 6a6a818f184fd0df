import { clampedThinking } from '../../bounds/thinking.ts'
import type { PassedEdits } from '../dialect.ts'
import type { Body } from '../kit/body.ts'
import { numberOf, objectOf } from '../kit/json.ts'
import { editMembers, type MemberEdit } from '../kit/members.ts'

/** The body for a provider: its id, the clamped limit, and a budget of thinking that has room in it. */
export function editMessages({ text, value }: Body, { model, output_limit }: PassedEdits): string {
  const limit: readonly MemberEdit[] =
    output_limit === null
      ? []
      : [{ key: 'max_tokens', value: output_limit }, ...thinking(value, output_limit)]
  return editMembers(text, [{ key: 'model', value: model }, ...limit])
}

function thinking(value: Body['value'], limit: number): readonly MemberEdit[] {
  const said = objectOf(value['thinking'])
  const budget = numberOf(said['budget_tokens'])
  const asked = numberOf(value['max_tokens']) ?? Number.POSITIVE_INFINITY
  if (budget === null) return []
  const clamped = clampedThinking(budget, asked, limit)
  if (clamped === budget) return []
  return [{ key: 'thinking', value: clamped === null ? undefined : { ...said, budget_tokens: clamped } }]
}
