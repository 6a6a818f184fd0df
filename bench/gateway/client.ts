/** A way to the same provider: directly, through this gateway, or through another one. */
export interface Way {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly model: string
}

/** One streamed answer: the time to its first byte, and how many bytes it has. */
export async function ask(way: Way, pieces: number, pause_ms: number) {
  const began = performance.now()
  const answer = await fetch(way.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...way.headers },
    body: JSON.stringify({
      model: way.model,
      stream: true,
      max_tokens: 90_000,
      messages: [{ role: 'user', content: `${pieces} ${pause_ms}` }],
    }),
  })
  let first_ms: number | null = null
  let bytes = 0
  let last = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    first_ms ??= performance.now() - began
    bytes += piece.length
    last = (last + piece).slice(-40)
  }
  if (answer.status !== 200 || !last.includes('[DONE]'))
    throw new Error(`${way.name} answered ${answer.status}: ${last}`)
  return { first_ms: first_ms ?? 0, ms: performance.now() - began, bytes }
}

/** So many answers, so many at a time; the time of all. */
export async function askMany(
  way: Way,
  plan: {
    readonly calls: number
    readonly lanes: number
    readonly pieces: number
    readonly pause_ms: number
  },
): Promise<number> {
  const began = performance.now()
  let left = plan.calls
  const lane = async () => {
    while (left-- > 0) await ask(way, plan.pieces, plan.pause_ms)
  }
  await Promise.all(Array.from({ length: plan.lanes }, lane))
  return performance.now() - began
}
