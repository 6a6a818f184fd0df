import type { Sandbox } from '../../apps/daemon/tests/support/sandbox.ts'

/** One prompt: the time that each piece took to a client of the event stream, and that of the whole answer. */
export async function turn(sandbox: Sandbox, text: string): Promise<{ delays: number[]; ms: number }> {
  const over = new AbortController()
  const headers = { authorization: `Bearer ${sandbox.key}` }
  const url = `http://${sandbox.address}:8000/svc/runtime/events`
  const answer = await fetch(url, { headers, signal: over.signal })
  const delays: number[] = []
  const reading = read(answer, (at) => delays.push(performance.timeOrigin + performance.now() - at))
  const began = performance.now()
  const prompt_id = await sandbox.prompt(text)
  const { status, error } = await sandbox.turnEnd(prompt_id)
  if (status !== 'completed') throw new Error(`The turn ended ${status}: ${error}`)
  const ms = performance.now() - began
  over.abort()
  await reading
  return { delays, ms }
}

/** Sees the time in each piece of text that comes; a piece may hold several, or begin in the middle of one. */
async function read(answer: Response, onTime: (at: number) => void): Promise<void> {
  let [events, words] = ['', '']
  try {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (events + chunk).split('\n\n')
      events = blocks.pop() ?? ''
      for (const block of blocks) {
        if (!block.includes('event: message.delta')) continue
        const data: { delta?: unknown } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}')
        const times = (words + String(data.delta ?? '')).split(' ')
        words = times.pop() ?? ''
        for (const at of times) if (Number(at) > 0) onTime(Number(at))
      }
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
  }
}
