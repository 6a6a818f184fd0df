import { z } from 'zod'
import { currentContent, type MatrixEvent } from './schema.ts'

/** The field of the bot's messages by which a press is known for that of a button, without a table. */
export const ownField = 'dev.svc.message'

const Own = z.object({
  message_id: z.string(),
  revision: z.number(),
  /** Each with the reaction that presses it. */
  buttons: z.array(z.object({ id: z.string(), key: z.string() })),
  /** A reply to it is the text of the button ✏️. */
  input: z.boolean(),
})
export type Own = z.infer<typeof Own>

/** A message of the bot as it is now, and as it was first; null for one of another writer. */
export function ownOf(
  event: MatrixEvent | null,
  bot: string,
): { readonly current: Own | null; readonly first: Own } | null {
  if (event === null || event.sender !== bot) return null
  const first = Own.safeParse(event.content[ownField]).data
  const current = Own.safeParse(currentContent(event)[ownField]).data ?? null
  return first === undefined ? null : { current, first }
}
