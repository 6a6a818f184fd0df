import type { PassedEdits } from '../dialect.ts'
import type { Body } from '../kit/body.ts'
import { objectOf } from '../kit/json.ts'
import { editMembers, type MemberEdit } from '../kit/members.ts'

/** The body with the clamped limit; the address of a provider says its model. */
export function editContent({ text, value }: Body, { model, output_limit }: PassedEdits): string {
  const key = 'generation_config' in value ? 'generation_config' : 'generationConfig'
  const { max_output_tokens: _, ...said } = objectOf(value[key])
  const limit: readonly MemberEdit[] =
    output_limit === null ? [] : [{ key, value: { ...said, maxOutputTokens: output_limit } }]
  return editMembers(text, [{ key: 'model', value: model }, ...limit])
}
