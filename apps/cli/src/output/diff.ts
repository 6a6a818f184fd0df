import type { Colors } from './output.ts'
import { plain } from './plain.ts'

/** A unified patch for a terminal: coloured, and unable to send it anything but text. */
export function colorDiff(patch: string, colors: Colors): string {
  let inHunk = false
  return plain(patch)
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) inHunk = false
      if (line.startsWith('@@')) {
        inHunk = true
        return colors.cyan(line)
      }
      if (!inHunk) return colors.bold(line)
      if (line.startsWith('+')) return colors.green(line)
      return line.startsWith('-') ? colors.red(line) : line
    })
    .join('\n')
}
