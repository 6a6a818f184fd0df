import { type Dialect, noUsage, outputTokens, usageOf } from '@svc/models'
import type { Began } from './attempt.ts'
import type { MeteredCall } from './metered-call.ts'
import { answerTooLong, maxAnswerBytes } from './upstream-answer.ts'

/** A whole answer, read to its end so that a provider that stops within it is still a refusal. */
export async function readWhole({ pieces, clock }: Began): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const next = await pieces.next()
    if (next.done === true) return Buffer.concat(chunks)
    clock.restart()
    size += next.value.byteLength
    if (size > maxAnswerBytes) throw answerTooLong()
    chunks.push(next.value)
  }
}

/** Settles a call by its whole answer. */
export async function settleWhole(
  answer: Buffer,
  {
    dialect,
    call,
    input_estimate,
    status,
    upstream_request_id,
  }: {
    readonly dialect: Dialect
    readonly call: MeteredCall
    readonly input_estimate: number
    readonly status: number
    readonly upstream_request_id: string | null
  },
): Promise<void> {
  const reading = dialect.readAnswer(jsonOf(answer))
  const counted =
    reading.usage === null
      ? usageOf({ input_tokens: input_estimate, output_tokens: outputTokens(reading.output) })
      : noUsage
  if (reading.usage === null) call.counter.add({ output: [], output_tokens: counted.output_tokens })
  await call.settle({
    event: 'finish',
    http_status: status,
    finish: reading.finish,
    usage: reading.usage,
    upstream_request_id,
  })
}

function jsonOf(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString('utf8'))
  } catch {
    return null
  }
}
