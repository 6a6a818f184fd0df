import { z } from 'zod'

const LogLine = z
  .object({ level: z.string(), time: z.string(), name: z.string().optional(), msg: z.string() })
  .loose()

const maxChars = 2_000

/** A summary and enough of the sandbox's output to see the cause. */
export function withLogTail(summary: string, output: string): string {
  const lines = output.replaceAll('\0', '').trim().split('\n')
  const tail = lines.map(readable).join('\n').slice(-maxChars)
  return tail === '' ? summary : `${summary}; it last said:\n${tail}`
}

/** The daemon logs JSON for machines; people read this. */
function readable(line: string): string {
  const parsed = LogLine.safeParse(parseJson(line))
  if (!parsed.success) return line
  const { level, time, name: _, msg, ...details } = parsed.data
  const rest = Object.entries(details).map(([key, value]) => `${key}: ${text(value)}`)
  return `${time.slice(11, 19)} ${level} ${msg}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
