import { tokenPrefix } from '@svc/access'

export interface Ticketed {
  readonly ticket: string
  /** The same path and query without it. */
  readonly rest: string
}

/** The ticket in an address. Programs have tickets of their own: only a ticket in the platform's form is its own. */
export function takeTicket(url: string): Ticketed | null {
  const mark = url.indexOf('?')
  if (mark < 0) return null
  const pairs = url.slice(mark + 1).split('&')
  const found = pairs.find((pair) => tokenPrefix(ticketIn(pair)) === 'svc_prv_')
  if (found === undefined) return null
  const kept = pairs.filter((pair) => pair !== found).join('&')
  return { ticket: ticketIn(found), rest: url.slice(0, mark) + (kept === '' ? '' : `?${kept}`) }
}

function ticketIn(pair: string): string {
  return pair.startsWith('ticket=') ? pair.slice('ticket='.length) : ''
}
