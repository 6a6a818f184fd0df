/** The address that an invitation is accepted at. Behind `#` its token reaches no server and no log. */
export function invitationLink(token: string): string {
  return `${location.origin}/dashboard/invitations#token=${encodeURIComponent(token)}`
}
