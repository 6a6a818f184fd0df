/** The token in what a person opened or pasted: a link with it behind `#`, or the token alone; empty without one. */
export function tokenIn(text: string): string {
  const given = text.trim()
  const at = given.indexOf('#')
  if (at < 0) return given
  return new URLSearchParams(given.slice(at + 1)).get('token') ?? ''
}
