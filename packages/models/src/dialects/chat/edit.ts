import type { PassedEdits } from '../dialect.ts'
import type { Body } from '../kit/body.ts'
import { objectOf } from '../kit/json.ts'
import { editMembers, type MemberEdit } from '../kit/members.ts'

const limitFields = ['max_completion_tokens', 'max_tokens'] as const

/** The body for a provider: its id, the clamped limit under the provider's name, and usage at the end of a stream. */
export function editChat({ text, value }: Body, edits: PassedEdits): string {
  const usage: MemberEdit[] =
    value['stream'] === true && objectOf(value['stream_options'])['include_usage'] !== true
      ? [{ key: 'stream_options', value: { ...objectOf(value['stream_options']), include_usage: true } }]
      : []
  return editMembers(text, [{ key: 'model', value: edits.model }, ...limits(value, edits), ...usage])
}

function limits(
  value: Body['value'],
  { output_limit, output_limit_field = 'max_completion_tokens' }: PassedEdits,
): readonly MemberEdit[] {
  if (output_limit === null) return []
  const [written = output_limit_field, ...others] = limitFields.filter((field) => field in value)
  return [{ key: written, value: output_limit, as: output_limit_field }, ...others.map((key) => ({ key }))]
}
