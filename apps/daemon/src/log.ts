type Level = 'debug' | 'info' | 'warn' | 'error'

/** JSON lines on stdout; every secret the log was told of is struck out of every line. */
export interface Log {
  debug(message: string, details?: Record<string, unknown>): void
  info(message: string, details?: Record<string, unknown>): void
  warn(message: string, details?: Record<string, unknown>): void
  error(message: string, details?: Record<string, unknown>): void
  hide(secret: string | undefined): void
  redact(text: string): string
}

/** Shorter values would strike out ordinary words. */
const shortestSecret = 8

export function createLog(write: (line: string) => void): Log {
  const secrets = new Set<string>()
  const redact = (text: string): string => {
    let clean = text
    for (const secret of secrets) clean = clean.replaceAll(secret, '[hidden]')
    return clean
  }
  const at =
    (level: Level) =>
    (message: string, details: Record<string, unknown> = {}): void => {
      const line = { level, time: new Date().toISOString(), name: 'svc-agent', msg: message, ...details }
      write(`${redact(JSON.stringify(line, replaceErrors))}\n`)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    hide: (secret) => {
      if (secret === undefined || secret.length < shortestSecret) return
      secrets.add(secret)
      const quoted = JSON.stringify(secret).slice(1, -1)
      if (quoted !== secret) secrets.add(quoted)
    },
    redact,
  }
}

function replaceErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
