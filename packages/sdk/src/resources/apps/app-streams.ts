import type { AppEvent, AppLogLine } from '../../app-types.ts'

/** The query of a stream. */
export function queryOf(asked: Readonly<Record<string, number | string | undefined>>): string {
  const given = Object.entries(asked).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Lines up to the end of their release. */
export async function* untilEnd(
  lines: AsyncIterable<AppLogLine | 'end'>,
  wanted: (line: AppLogLine) => boolean,
): AsyncGenerator<AppLogLine, void, undefined> {
  for await (const line of lines) {
    if (line === 'end') return
    if (wanted(line)) yield line
  }
}

export function isLine(value: object): value is AppLogLine {
  return 'seq' in value && typeof value.seq === 'number' && 'line' in value
}

export function isEvent(value: object): value is AppEvent {
  return 'seq' in value && typeof value.seq === 'number' && 'type' in value
}
