import { z } from 'zod'

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })

const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string(),
        function: z.looseObject({ name: z.string(), arguments: z.string().default('') }),
      }),
    )
    .nullish(),
  tool_call_id: z.string().nullish(),
})

const Tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).nullish(),
  }),
})

/** The part of an OpenAI chat completion request that is read here; the rest is passed on or ignored. */
export const ChatRequest = z.looseObject({
  model: z.string().min(1).optional(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})

export type ChatRequest = z.infer<typeof ChatRequest>
export type ChatMessage = ChatRequest['messages'][number]
export type ChatTool = z.infer<typeof Tool>
