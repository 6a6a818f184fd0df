import { errorCode, SandboxError, type SandboxErrorKind } from '../sandbox-error.ts'

const away = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
  'EHOSTUNREACH',
  'ENOTFOUND',
])

const words: readonly (readonly [RegExp, SandboxErrorKind])[] = [
  [/no space left on device|disk quota exceeded/i, 'quota'],
  [/no such image|pull access denied|manifest unknown|exec format error/i, 'image'],
  [/executable file not found|no such file or directory: unknown|stat .*: no such file/i, 'image'],
  [
    /cannot allocate memory|resource temporarily unavailable|too many open files|device or resource busy/i,
    'capacity',
  ],
  [/no such container/i, 'gone'],
]

/** Names what an engine refused, or that it did not answer; an error that is already typed passes unchanged. */
export function toEngineError(error: unknown, operation: string): SandboxError {
  if (error instanceof SandboxError) return error
  const text = error instanceof Error ? error.message : String(error)
  const status = statusCode(error)
  if (status === null) {
    const lost = isAway(error)
    const kind = lost ? 'network' : (kindOfWords(text) ?? 'internal')
    return new SandboxError(kind, `${operation}: ${lost ? 'the Docker engine does not answer' : text}`, {
      cause: error,
    })
  }
  const said = engineWords(text)
  const kind = kindOfWords(said) ?? (status === 404 ? 'gone' : 'internal')
  return new SandboxError(kind, `${operation}: ${said}`, {
    cause: error,
    retryable: isRetryable(kind, status),
  })
}

/** The HTTP status with which the engine refused; null when it gave no answer at all. */
export function statusCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  return typeof error.statusCode === 'number' ? error.statusCode : null
}

export function isAway(error: unknown): boolean {
  if (error instanceof SandboxError) return error.kind === 'network'
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return true
  return statusCode(error) === null && away.has(errorCode(error) ?? '')
}

/** The client puts its own words before the engine's: `(HTTP code 404) no such container - No such container: x`. */
function engineWords(text: string): string {
  return text.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim()
}

function kindOfWords(text: string): SandboxErrorKind | undefined {
  return words.find(([pattern]) => pattern.test(text))?.[1]
}

function isRetryable(kind: SandboxErrorKind, status: number): boolean {
  return kind === 'capacity' || kind === 'network' || (kind === 'internal' && status >= 500)
}
