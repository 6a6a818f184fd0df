export const scenes = ['text', 'tools', 'reasoning', 'error'] as const

/** The way in which a stub answers: the scene, the model that was asked, and whether the client wants its usage streamed. */
export interface Said {
  readonly scene: (typeof scenes)[number]
  readonly model: string
  readonly usage: boolean
}

/** Two calls at once. */
export const toolCalls = [
  { id: 'call_1', name: 'weather', input: { city: 'Köln' } },
  { id: 'call_2', name: 'weather', input: { city: 'Rio' } },
] as const

export const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 5 },
}

const base = (model: string) => ({ id: 'chatcmpl-stub', created: 1_700_000_000, model })
const calls = toolCalls.map(({ id, name, input }) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
}))

export function chatAnswer({ scene, model }: Said) {
  const message =
    scene === 'tools'
      ? { role: 'assistant', content: null, tool_calls: calls }
      : {
          role: 'assistant',
          content: 'Hello from the stub',
          ...(scene === 'reasoning' ? { reasoning_content: 'I think' } : {}),
        }
  const finish_reason = scene === 'tools' ? 'tool_calls' : 'stop'
  return { ...base(model), object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }
}

export function chatChunks({ scene, model, usage: wants }: Said): object[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base(model),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const middle =
    scene === 'tools'
      ? calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
          chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
          chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, 5) } }] }),
          chunk({ tool_calls: [{ index, function: { arguments: text.slice(5) } }] }),
        ])
      : [
          ...(scene === 'reasoning' ? [chunk({ reasoning_content: 'I think' })] : []),
          chunk({ content: 'Hello from ' }),
          chunk({ content: 'the stub' }),
        ]
  const last = chunk({}, scene === 'tools' ? 'tool_calls' : 'stop')
  return [
    chunk({ role: 'assistant', content: '' }),
    ...middle,
    last,
    ...(wants ? [{ ...base(model), object: 'chat.completion.chunk', choices: [], usage }] : []),
  ]
}
