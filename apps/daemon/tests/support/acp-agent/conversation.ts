import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
])
export type Part = z.infer<typeof Part>

const Call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
export type Call = z.infer<typeof Call>

const Message = z.union([
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(Part)]) }),
  z.object({ role: z.literal('assistant'), content: z.string(), tool_calls: z.array(Call).optional() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])
export type Message = z.infer<typeof Message>

const Conversation = z.object({
  session_id: z.string(),
  messages: z.array(Message),
  model: z.string(),
  mode: z.string(),
  thought_level: z.string(),
})
export type Conversation = z.infer<typeof Conversation>

export interface Conversations {
  find(session_id: string): Conversation | undefined
  save(conversation: Conversation): void
}

/** Conversations as JSON files, which the next process of the same home finds. */
export function createConversations(home: string): Conversations {
  const folder = join(home, '.acp-agent')
  const pathOf = (session_id: string): string => join(folder, `${session_id.replaceAll(/[^\w-]/g, '_')}.json`)
  return {
    find: (session_id) => {
      const path = pathOf(session_id)
      return existsSync(path) ? Conversation.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
    },
    save: (conversation) => {
      mkdirSync(folder, { recursive: true })
      const path = pathOf(conversation.session_id)
      writeFileSync(`${path}.new`, JSON.stringify(conversation))
      renameSync(`${path}.new`, path)
    },
  }
}
