export interface StreamedEvent {
  /** Only a stored event has a number to resume from. */
  readonly id: number | null
  readonly event: { readonly type: string }
}

const encoder = new TextEncoder()
const frames = new WeakMap<StreamedEvent['event'], Uint8Array>()

/** An event as its clients get it. Those who are told the same object get the same bytes: a crowd costs one text. */
export function frameOf({ id, event }: StreamedEvent): Uint8Array {
  const known = frames.get(event)
  if (known !== undefined) return known
  const number = id === null ? '' : `id: ${id}\n`
  // JSON has no end of a line in it.
  const frame = encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n${number}\n`)
  frames.set(event, frame)
  return frame
}
