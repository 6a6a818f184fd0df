/** nginx's status for a client that closed the connection; it is logged and never received. */
export const clientClosedRequest = 499

/** The reason of a request's abort signal when its client no longer waits for the answer. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'

  constructor() {
    super('the client left')
  }
}
