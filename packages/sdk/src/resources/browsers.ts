import type { browserSessions as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { BrowserSession, OpenedBrowserSession } from '../types.ts'

/** Signed-in browsers: an HttpOnly cookie, and the page key that a client of theirs is made with. */
export interface Browsers {
  /**
   * Exchanges the client's bearer for a cookie of this browser, and a `page_key` for a client without a token. The tokens
   * of a sign-in are of no use afterwards.
   */
  open(input?: { keep?: boolean }, options?: RequestOptions): Promise<OpenedBrowserSession>
  /** Those in which you are signed in, the newest first. */
  list(options?: RequestOptions): Promise<BrowserSession[]>
  end(browser_session_id: string, options?: RequestOptions): Promise<void>
  /** The browser that asks. */
  endOwn(options?: RequestOptions): Promise<void>
}

export function browsers(http: Http): Browsers {
  return {
    open: (body = {}, options = {}) =>
      http.call<typeof routes.openBrowserSession>('POST /v1/auth/browser', { ...options, body }),
    list: async (options = {}) =>
      (await http.call<typeof routes.listBrowserSessions>('GET /v1/auth/browsers', options)).browsers,
    end: (browser_session_id, options = {}) =>
      http.call<typeof routes.endBrowserSession>('DELETE /v1/auth/browsers/{browser_session_id}', {
        ...options,
        params: { browser_session_id },
      }),
    endOwn: (options = {}) =>
      http.call<typeof routes.endOwnBrowserSession>('POST /v1/auth/browser/end', options),
  }
}
