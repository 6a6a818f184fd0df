import type { CallOptions } from '../../shapes.ts'

/** A call of a tool on its way. */
export interface ActiveCall {
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

export function activeCall({ signal, beforeSend }: Pick<CallOptions, 'signal' | 'beforeSend'>): ActiveCall {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  failed.catch(() => {})
  const begun = { sent: false, refused: null, status: null, bytes_out: 0, bytes_in: 0, resumable: false }
  return { ...begun, signal, beforeSend, fail, failed }
}
