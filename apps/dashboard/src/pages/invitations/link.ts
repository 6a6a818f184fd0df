/** The address that an invitation is accepted at. Behind `#` its token reaches no server and no log. */
export function invitationLink(token: string): string {
  return `${location.origin}/dashboard/invitations#token=${encodeURIComponent(token)}`
}

/** The token of an invitation in what a person opened or pasted: the link, or the token alone; empty without one. */
export function invitationToken(text: string): string {
  const given = text.trim()
  const at = given.indexOf('#')
  if (at < 0) return given
  return new URLSearchParams(given.slice(at + 1)).get('token') ?? ''
}
