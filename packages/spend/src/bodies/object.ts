import { z } from 'zod'

/** A call of a project, by which its bodies are named and sealed. */
export interface BodiesOf {
  readonly project_id: string
  readonly call_id: string
}

/** Request and answer of a model call as text. `truncated`: one of them was longer than is kept. */
export const Bodies = z.object({
  request: z.string(),
  answer: z.string(),
  truncated: z.boolean(),
})
export type Bodies = z.infer<typeof Bodies>

export const objectKey = ({ project_id, call_id }: BodiesOf): string => `bodies/${project_id}/${call_id}`

/** Sealed for this call alone: another call's bodies do not open in its place. */
export const sealedFor = ({ project_id, call_id }: BodiesOf): readonly string[] => [
  'body',
  project_id,
  call_id,
]
