import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { Sandbox } from './sandbox.ts'
import { waitFor } from './wait-for.ts'

interface Frame {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** The runtime's event stream: `next` gives the next frame of a kind, passing over the others. */
export async function openEvents(sandbox: Sandbox, headers: Record<string, string>) {
  const stop = new AbortController()
  const url = `http://${sandbox.address}:8000/svc/runtime/events`
  const response = await fetch(url, { headers, signal: stop.signal })
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`)
  const frames: Frame[] = []
  const parser = createParser({
    onEvent: ({ id, event = '', data }) => {
      frames.push({ id, event, data: z.record(z.string(), z.unknown()).parse(JSON.parse(data)) })
    },
  })
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  read(response.body).catch(() => undefined)
  return {
    next: (kind: string): Promise<Frame> =>
      waitFor(`an event ${kind}`, () => {
        const at = frames.findIndex(({ event }) => event === kind)
        return at < 0 ? undefined : frames.splice(0, at + 1).at(-1)
      }),
    close: () => stop.abort(),
  }
}
