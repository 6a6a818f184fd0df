/** One completion: words, and at most one tool to call after them. Without a call the turn is over. */
export interface Step {
  readonly text: string
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | null
}

export const label = '[scripted demo model]'

/** The end of a turn. It always says that the demo model speaks. */
export function say(text: string): Step {
  return { text: `${label} ${text}`, call: null }
}
