import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'

/** A wire for one WebSocket, which keeps what undici does not give away: the reason why it was not opened, and its socket. */
export interface WatchedWire {
  readonly dispatcher: Dispatcher
  readonly error: () => Error | undefined
  readonly socket: () => Duplex | undefined
}

const maxPayloadSize = 4 * 1024 * 1024

export function watchedWire(wire: Dispatcher): WatchedWire {
  let failure: Error | undefined
  let socket: Duplex | undefined
  const composed = wire.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (...all) => handler.onRequestStart?.(...all),
        onResponseStart: (...all) => handler.onResponseStart?.(...all),
        onResponseData: (...all) => handler.onResponseData?.(...all),
        onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
        onRequestUpgrade: (controller, status, headers, upgraded) => {
          socket = upgraded
          handler.onRequestUpgrade?.(controller, status, headers, upgraded)
        },
        onResponseError: (controller, error) => {
          failure ??= error
          handler.onResponseError?.(controller, error)
        },
      }),
  )
  // A message of a socket is no longer than this; the wire's own limit is for others.
  const dispatcher = new Proxy(composed, {
    get: (target, key) => (key === 'webSocketOptions' ? { maxPayloadSize } : Reflect.get(target, key)),
  })
  return { dispatcher, error: () => failure, socket: () => socket }
}
