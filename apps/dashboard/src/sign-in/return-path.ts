/** The address at which the pages begin, and the one at which the authorization server answers. */
export const home = '/dashboard/'
export const answersAt = '/dashboard/signed-in'

/** The address that a person meant to go to before they signed in: a page of the dashboard, whatever the text says. */
export function returnPath(text: string | null | undefined, origin: string): string {
  if (!text?.startsWith(home) || !URL.canParse(text, origin)) return home
  const { origin: leads_to, pathname, search } = new URL(text, origin)
  const own = leads_to === origin && pathname.startsWith(home) && pathname !== answersAt
  return own ? `${pathname}${search}` : home
}
