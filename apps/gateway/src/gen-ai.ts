/** The names of the generative AI conventions v0.1.0. Prompts, answers and arguments have none here on purpose. */
export const genAi = {
  operation: 'gen_ai.operation.name',
  model: 'gen_ai.request.model',
  conversation: 'gen_ai.conversation.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
} as const
