import { machine, type StateOf } from '@svc/machine'

/** A port of a session's sandbox at a host name of its own. open: the ticket of its address is spent for a cookie. */
export const previewMachine = machine({
  ticket: { open: 'open' },
  open: {},
})

export type PreviewState = StateOf<typeof previewMachine>
