import { visibleText } from '@svc/facts'

/** Output of a program as text: its colours and cursor movements are taken out, a line that was written over is its last. */
export function plainOutput(output: string): string {
  return visibleText(output)
    .replace(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g, '')
    .split('\n')
    .map(lastWritten)
    .join('\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
}

/** The text of a line after its last return: by its index, since a pattern would look through a long line once a character. */
function lastWritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.slice(text.lastIndexOf('\r') + 1)
}

const shownChars = 64 * 1024

/** The end of it, which is what a person looks for. */
export function tailOf(output: string): { readonly text: string; readonly cut: number } {
  const cut = Math.max(0, output.length - shownChars)
  return { text: plainOutput(cut === 0 ? output : output.slice(cut)), cut }
}
