import type { JsonObject } from '@svc/connector'
import type { CallOptions } from '../../shapes.ts'

/** A call of a tool on its way. */
export interface ActiveCall {
  /** Of this call alone: no other has the same object. */
  readonly args: JsonObject
  /** Of the message that asks for it; null before that is made. */
  message_id: string | number | null
  readonly signal: AbortSignal
  readonly beforeSend: () => Promise<void>
  sent: boolean
  /** An error of `beforeSend`, which is the caller's own and passed on. */
  refused: { readonly error: unknown } | null
  status: number | null
  bytes_out: number
  bytes_in: number
  /** Its stream can be taken up again, by the id of its last event. */
  resumable: boolean
  /** Ends it where the SDK would wait on. */
  readonly fail: (error: unknown) => void
  readonly failed: Promise<never>
}

export function activeCall(
  args: JsonObject,
  { signal, beforeSend }: Pick<CallOptions, 'signal' | 'beforeSend'>,
): ActiveCall {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  failed.catch(() => {})
  const begun = { sent: false, refused: null, status: null, bytes_out: 0, bytes_in: 0, resumable: false }
  return { ...begun, args: { ...args }, message_id: null, signal, beforeSend, fail, failed }
}
