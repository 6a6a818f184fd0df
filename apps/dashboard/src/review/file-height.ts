import { foldReason } from './fold.ts'
import type { FilePatch } from './patch-parts.ts'
import type { View } from './view.ts'

/** As the styles draw them: a line of code, the line above the hunks with its borders and the gap below, and what stands in place of hunks. */
const pixels = { line: 19.2, frame: 55, gap: 8, words: 44 } as const

/** Nearly as high as a file of a diff will be, before it is drawn; lines that wrap make it higher. */
export function fileHeight(part: FilePatch, view: View): number {
  const { file, patch } = part
  if (patch === null || file.binary || foldReason(part) !== null) return pixels.frame + pixels.words
  return pixels.frame + hunksHeight(patch, view)
}

/** The height of the hunks alone. */
export function hunksHeight(patch: string, view: View): number {
  const hunks = patch.split(/^@@ .*$/m).slice(1)
  const lines = hunks.reduce((sum, hunk) => sum + linesOf(hunk, view), 0)
  return lines * pixels.line + Math.max(0, hunks.length - 1) * pixels.gap
}

function linesOf(hunk: string, view: View): number {
  let [same, gone, come, beside] = [0, 0, 0, 0]
  const endBlock = () => {
    beside += Math.max(gone, come)
    gone = 0
    come = 0
  }
  for (const line of hunk.split('\n')) {
    if (line.startsWith('-')) gone += 1
    else if (line.startsWith('+')) come += 1
    else if (line.startsWith(' ')) {
      if (view === 'split') endBlock()
      same += 1
    }
  }
  if (view === 'unified') return same + gone + come
  endBlock()
  return same + beside
}

/** The average height of a file, so that the whole list is about as long as it will turn out to be. */
export function meanHeight(parts: readonly FilePatch[], view: View): number {
  const sum = parts.reduce((height, part) => height + fileHeight(part, view), 0)
  return Math.round(sum / Math.max(1, parts.length))
}
