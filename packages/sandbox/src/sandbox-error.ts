/**
 * capacity: the machine is full for now; image: the sandbox's tools or image are missing; quota: no room left for its
 * files; network: the back end did not answer; gone: there is no such sandbox; internal: everything else.
 */
export type SandboxErrorKind = 'capacity' | 'image' | 'quota' | 'network' | 'gone' | 'internal'

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly kind: SandboxErrorKind
  readonly retryable: boolean

  constructor(
    kind: SandboxErrorKind,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryable = options.retryable ?? (kind === 'capacity' || kind === 'network')
  }
}

export function noSuchSandbox(external_id: string): SandboxError {
  return new SandboxError('gone', `There is no sandbox ${external_id}.`)
}

const kinds: Readonly<Record<string, SandboxErrorKind>> = {
  EAGAIN: 'capacity',
  ENOMEM: 'capacity',
  EMFILE: 'capacity',
  ENFILE: 'capacity',
  ENOSPC: 'quota',
  EDQUOT: 'quota',
}

/** Names the operating system's refusals; an error that is already typed passes unchanged. */
export function toSandboxError(error: unknown, operation: string): SandboxError {
  if (error instanceof SandboxError) return error
  const kind = kinds[errorCode(error) ?? ''] ?? 'internal'
  const text = error instanceof Error ? error.message : String(error)
  return new SandboxError(kind, `${operation}: ${text}`, { cause: error })
}

/** The `code` of a system error, if it is one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
