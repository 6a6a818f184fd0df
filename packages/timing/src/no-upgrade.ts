import type { ClientRequest } from 'node:http'

/**
 * A request that fails where its server changes the protocol unasked (RFC 9110, 15.2.2). Node holds such a request for done: it
 * tells of no answer and no error, an abort says nothing either, and who waits for it waits for ever.
 */
export function noUpgrade(request: ClientRequest): ClientRequest {
  return request.once('upgrade', (_answer, socket) => {
    socket.destroy()
    request.emit('error', new Error('The protocol was changed unasked'))
  })
}
