import type { ChatRequest } from '../chat-request.ts'
import { complete, completionChunks, wholeCompletion } from './completion.ts'

/** The demo model's answer, whole or as server-sent events. */
export function answerDemo(request: ChatRequest, now: Date): Response {
  const completion = complete(request, now)
  if (request.stream !== true) return Response.json(wholeCompletion(completion))
  const chunks = completionChunks(completion, request.stream_options?.include_usage === true)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = chunks.next()
      controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value)}\n\n`))
      if (done) controller.close()
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' } })
}
