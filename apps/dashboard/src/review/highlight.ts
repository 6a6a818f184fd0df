import { useEffect, useState } from 'react'

/** The tokens of a line: a text, and the kind of it, such as `keyword`. */
export type Line = readonly (readonly [text: string, kind: string])[]

interface Answer {
  readonly id: number
  readonly lines: readonly Line[]
}

/** Longer texts are shown without colours. */
const maxChars = 200_000

let worker: Worker | null = null
let next = 1
const waiting = new Map<number, (lines: readonly Line[]) => void>()

function start(): Worker {
  const made = new Worker(new URL('highlight-worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  return made
}

/** The lines of a text with their kinds, computed beside the page; empty where there is no grammar for it. */
export async function highlight(text: string, language: string | null): Promise<readonly Line[]> {
  if (language === null || text.length > maxChars) return []
  worker ??= start()
  const id = next++
  worker.postMessage({ id, text, language })
  return new Promise((resolve) => waiting.set(id, resolve))
}

export function useHighlight(text: string, language: string | null): readonly Line[] {
  const [lines, setLines] = useState<readonly Line[]>([])
  useEffect(() => {
    let gone = false
    void highlight(text, language).then((found) => {
      if (!gone) setLines(found)
    })
    return () => {
      gone = true
    }
  }, [text, language])
  return lines
}

/** The class of a kind of token; the tokens' colours have one for each group of kinds. */
export function classOf(kind: string): string {
  return kind === '' ? '' : `tok-${kind}`
}
