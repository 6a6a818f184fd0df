import { z } from 'zod'

/** An event of a room, as the client-server API shows it. */
export const MatrixEvent = z.object({
  type: z.string(),
  event_id: z.string(),
  sender: z.string(),
  origin_server_ts: z.number().optional().catch(undefined),
  state_key: z.string().optional(),
  /** Of a redaction, in rooms of versions before 11. */
  redacts: z.string().optional().catch(undefined),
  content: z.record(z.string(), z.unknown()),
  unsigned: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
export type MatrixEvent = z.infer<typeof MatrixEvent>

/** Those of a list that can be read. */
export const MatrixEvents = z
  .array(z.unknown())
  .transform((events) => events.flatMap((event) => MatrixEvent.safeParse(event).data ?? []))

const Relation = z.object({
  rel_type: z.string().optional(),
  event_id: z.string().optional(),
  key: z.string().optional(),
  /** The reply is for clients that show no threads: it is none. */
  is_falling_back: z.boolean().optional(),
  'm.in_reply_to': z.object({ event_id: z.string() }).optional(),
})

export function relationOf({ content }: MatrixEvent): z.infer<typeof Relation> {
  return Relation.safeParse(content['m.relates_to']).data ?? {}
}

/** The first event of the thread that an event stands in; its own where it stands in none. */
export function rootOf(event: MatrixEvent): string {
  const { rel_type, event_id } = relationOf(event)
  return rel_type === 'm.thread' && event_id !== undefined ? event_id : event.event_id
}

const Bundled = z.object({
  'm.relations': z.object({
    'm.replace': z.object({
      sender: z.string(),
      content: z.object({ 'm.new_content': z.record(z.string(), z.unknown()) }),
    }),
  }),
})

/** The content as its writer last edited it. */
export function currentContent({
  content,
  sender,
  unsigned,
}: MatrixEvent): Readonly<Record<string, unknown>> {
  const edit = Bundled.safeParse(unsigned).data?.['m.relations']['m.replace']
  return edit?.sender === sender ? edit.content['m.new_content'] : content
}
