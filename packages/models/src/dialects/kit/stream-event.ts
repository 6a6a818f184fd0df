/** A server-sent event, as `eventsource-parser` gives it and as a dialect writes it. */
export interface StreamEvent {
  readonly event?: string | undefined
  readonly data: string
}

/** An event as it stands in a stream. */
export function eventText({ event, data }: StreamEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}`)
  return `${[...(event === undefined ? [] : [`event: ${event}`]), ...lines].join('\n')}\n\n`
}

/** An event of a dialect that names its events, by the `type` of its data. */
export function typedEvent(data: { readonly type: string; readonly [field: string]: unknown }): StreamEvent {
  return { event: data.type, data: JSON.stringify(data) }
}
