/** nginx's status for a client that closed the connection; it is logged and never received. */
export const clientClosedRequest = 499

/** Why a request's signal aborts when nobody waits for its answer any more. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'

  constructor() {
    super('the client left')
  }
}
