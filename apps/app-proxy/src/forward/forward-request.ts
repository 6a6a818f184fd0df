import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { awayHeader } from '@svc/sandbox/front'
import type { Dispatcher } from 'undici'
import { appSilenceMs, type Silence, watchSilence } from './silence.ts'
import { answerHeaders, upstreamHeaders, upstreamPath, type VisitFacts } from './upstream-headers.ts'

/** `unsent`: no byte reached the app. `lost`: it may have begun to work. `answered`: the visitor has a head at least. */
export type Forwarded = 'answered' | 'unsent' | 'lost'

/**
 * Passes one request to an app and its answer back, both as they come and for as long as bytes move; an event stream may be
 * silent. It answers nothing by itself.
 */
export function forwardRequest(
  upstream: Dispatcher,
  request: IncomingMessage,
  response: ServerResponse,
  facts: VisitFacts,
  silence_ms = appSilenceMs,
): Promise<Forwarded> {
  return new Promise((done) => {
    let sent = false
    let begun = false
    let away = false
    let controller: Dispatcher.DispatchController | null = null
    const silence = watchSilence(silence_ms, () =>
      controller?.abort(new Error('Nothing moved between the app and its visitor for too long')),
    )
    const leave = () => controller?.abort(new Error('The visitor left'))
    response.once('close', leave)
    const end = (how: Forwarded) => {
      silence.end()
      response.off('close', leave)
      done(how)
    }
    const onDrain = () => {
      silence.moved()
      controller?.resume()
    }

    upstream.dispatch(
      {
        method: methodOf(request),
        path: upstreamPath(request.url ?? '/'),
        headers: upstreamHeaders(request, facts),
        // Read once the app is connected, and not destroyed with the try: another instance may be asked with it.
        body: hasBody(request) ? Readable.from(bodyOf(request, silence)) : null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          sent = true
          controller = started
          if (response.destroyed) leave()
        },
        onResponseStart(answering, status, headers) {
          if (status < 200) return
          if (headers[awayHeader] !== undefined) {
            away = true
            answering.abort(new Error('The program does not listen'))
            return
          }
          if (String(headers['content-type']).startsWith('text/event-stream')) silence.end()
          else silence.moved()
          response.writeHead(status, answerHeaders(headers, request.headers.host ?? ''))
          // With the first bytes where they come at once; alone where an app has only said how it will answer.
          setImmediate(() => {
            if (!begun && !response.writableEnded && !response.destroyed) response.flushHeaders()
          })
          response.on('drain', onDrain)
        },
        onResponseData(answering, chunk) {
          begun = true
          silence.moved()
          if (response.write(chunk)) return
          silence.held()
          answering.pause()
        },
        onResponseEnd() {
          response.off('drain', onDrain)
          response.end()
          end('answered')
        },
        onResponseError() {
          // A body that was begun cannot be sent again.
          if (away) return end(hasBody(request) ? 'lost' : 'unsent')
          // A head that went out cannot be taken back: the visitor sees a connection that broke.
          if (response.headersSent) response.destroy()
          end(response.headersSent || response.destroyed ? 'answered' : sent ? 'lost' : 'unsent')
        },
      },
    )
  })
}

async function* bodyOf(request: IncomingMessage, silence: Silence): AsyncGenerator<unknown> {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    silence.moved()
    yield chunk
  }
}

/** True for a request with a body, by its framing. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Undici's type of a method is narrower than what it sends. */
function methodOf({ method = 'GET' }: IncomingMessage): Dispatcher.HttpMethod {
  return method as Dispatcher.HttpMethod
}
