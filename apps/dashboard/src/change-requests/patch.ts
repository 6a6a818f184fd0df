export interface PatchLine {
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'note'
  readonly text: string
}

export interface PatchFile {
  readonly path: string
  readonly lines: readonly PatchLine[]
}

/** A unified patch as git writes it, file by file. */
export function patchFiles(patch: string): PatchFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const lines = part.replace(/\n$/, '').split('\n')
      const first = lines.findIndex((line) => line.startsWith('@@'))
      const header = first === -1 ? lines : lines.slice(0, first)
      const body = first === -1 ? header.filter(isNote) : lines.slice(first)
      return { path: pathOf(header), lines: body.map(patchLine) }
    })
}

function patchLine(text: string): PatchLine {
  if (text.startsWith('@@')) return { kind: 'hunk', text }
  if (text.startsWith('+')) return { kind: 'added', text }
  if (text.startsWith('-')) return { kind: 'removed', text }
  if (text.startsWith(' ') || text === '') return { kind: 'context', text }
  return { kind: 'note', text }
}

/**
 * True for a line that a file without a hunk shows of itself: that it is binary, or was only renamed or given another
 * mode.
 */
function isNote(line: string): boolean {
  return /^(Binary files|GIT binary patch|rename |copy |similarity |old mode|new mode|new file|deleted file)/.test(
    line,
  )
}

/** The name after the change, or before it of a file that is gone. */
function pathOf(header: readonly string[]): string {
  const after = (start: string) => header.find((line) => line.startsWith(start))?.slice(start.length)
  const named = [after('+++ '), after('--- ')].find((name) => name !== undefined && name !== '/dev/null')
  const renamed = after('rename to ') ?? after('copy to ')
  if (named !== undefined) return named.replace(/\t$/, '').replace(/^("?)[ab]\//, '$1')
  return renamed ?? (after('diff --git ') ?? '').replace(/^.* ("?)b\//, '$1')
}
