/** The first line of a commit's message, and what follows it. */
export function partsOfMessage(message: string): { readonly first: string; readonly body: string } {
  const [first = '', ...rest] = message.trim().split('\n')
  return { first, body: rest.join('\n').trim() }
}
