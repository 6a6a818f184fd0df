import { z } from 'zod'

const text = (max: number, ...types: string[]) =>
  z.object({ type: z.string().refine((type) => types.includes(type)), text: z.string().min(1).max(max) })
const block_id = z.string().max(255).optional()
const label = (max: number) => text(max, 'plain_text')

const Button = z.object({
  type: z.literal('button'),
  action_id: z.string().max(255),
  text: label(75),
  value: z.string().max(2_000).optional(),
  url: z.string().max(3_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
})

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('header'), block_id, text: label(150) }),
  z.object({ type: z.literal('section'), block_id, text: text(3_000, 'mrkdwn', 'plain_text') }),
  z.object({ type: z.literal('divider'), block_id }),
  z.object({ type: z.literal('actions'), block_id, elements: z.array(Button).min(1).max(25) }),
  z.object({
    type: z.literal('input'),
    block_id,
    label: label(2_000),
    element: z.object({ type: z.literal('plain_text_input'), action_id: z.string().max(255) }),
  }),
  z.object({
    type: z.literal('context'),
    block_id,
    elements: z
      .array(text(2_000, 'mrkdwn', 'plain_text'))
      .min(1)
      .max(10),
  }),
])

/** The limits that Block Kit's reference names, for the blocks that apps here send. */
export function areBlocks(blocks: unknown): boolean {
  const all = z.array(Block).max(50).safeParse(blocks).data
  if (all === undefined) return false
  const ids = all.flatMap(({ block_id }) => block_id ?? [])
  const actions = all.flatMap((block) =>
    block.type === 'actions' ? block.elements.map(({ action_id }) => action_id) : [],
  )
  return [ids, actions].every((names) => new Set(names).size === names.length)
}
