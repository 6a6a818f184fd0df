import { z } from 'zod'

const Button = z.object({
  /** Comes back with the press. */
  id: z.string().max(200),
  label: z.string().max(75),
  style: z.enum(['primary', 'danger']).optional(),
  /** Opens this page; nothing comes back. */
  url: z.string().optional(),
  /** Does nothing without the words of the box. */
  needs_text: z.boolean().optional(),
})
export type Button = z.infer<typeof Button>

/** The content of a message, in words that are the same on each platform. `text` is Markdown as agents write it. */
export const Outgoing = z.object({
  text: z.string(),
  /** Above the text, in bold. */
  title: z.string().max(150).optional(),
  /** Below it, small. */
  footer: z.string().optional(),
  buttons: z.array(Button).max(25).optional(),
  /** The page on which the buttons stand as well, for a platform that has none. */
  page: z.string().optional(),
  /** A box for words, which come back with the press of any button. */
  input: z.object({ label: z.string().max(150) }).optional(),
})
export type Outgoing = z.infer<typeof Outgoing>

/** The names by which a message is known: found again after an answer that was lost. */
export interface OutgoingName {
  readonly message_id: string
  readonly revision: number
}
