/** Why a request's signal aborts when nobody waits for its answer any more. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'

  constructor() {
    super('the client left')
  }
}
