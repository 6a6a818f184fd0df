import { requestPath } from '../http/api-url.ts'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'

export type RuntimeAction =
  | {
      readonly kind: 'permission'
      readonly id: string
      readonly reply: 'once' | 'always' | 'reject'
      readonly message?: string
    }
  /** One of the `options` that the event of the permission lists. */
  | { readonly kind: 'permission'; readonly id: string; readonly option_id: string }
  /** One array of chosen labels for each question asked. */
  | { readonly kind: 'question'; readonly id: string; readonly answers: readonly (readonly string[])[] }
  | { readonly kind: 'question'; readonly id: string; readonly reject: true }
  | { readonly kind: 'stop' }
  | { readonly kind: 'revert'; readonly message_id: string }

/** The agent inside a running sandbox, addressed by the session's `external_id`. */
export interface Runtime {
  /** Answers a permission or a question, or aborts the turn. 502 `sandbox_unreachable` while the sandbox is away. */
  act(external_id: string, action: RuntimeAction, options?: RequestOptions): Promise<void>
}

export function runtime(http: Http): Runtime {
  return {
    act: async (external_id, action, options = {}) => {
      const path = requestPath('/v1/p/{external_id}/8000/svc/runtime/act', { external_id })
      await http.send({ method: 'POST', path, json: action, ...options })
    },
  }
}
