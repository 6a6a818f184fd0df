import type { PassedEdits } from '../dialect.ts'
import type { Body } from '../kit/body.ts'
import { editMembers } from '../kit/members.ts'

/** The body for a provider: its id, the clamped limit, and nothing that the provider keeps. */
export function editResponses({ text, value }: Body, { model, output_limit }: PassedEdits): string {
  return editMembers(text, [
    { key: 'model', value: model },
    ...(output_limit === null ? [] : [{ key: 'max_output_tokens', value: output_limit }]),
    ...(value['store'] === false ? [] : [{ key: 'store', value: false }]),
  ])
}
