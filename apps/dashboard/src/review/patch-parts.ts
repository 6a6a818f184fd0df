import type { DiffFile } from '@svc/sdk'

/** A file of a diff with its own part of the patch, word for word; null where the patch does not hold it. */
export interface FilePatch {
  readonly file: DiffFile
  readonly patch: string | null
}

/** The parts of a patch, one for each file, in the order in which git lists both. */
export function patchParts(files: readonly DiffFile[], patch: string): readonly FilePatch[] {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '))
  const byPath = new Map<string, string>()
  for (const part of parts) {
    const path = pathOf(part)
    // A change of type is a removal and an addition of one path.
    byPath.set(path, (byPath.get(path) ?? '') + part)
  }
  const inOrder = files.length === parts.length
  return files.map((file, index) => ({
    file,
    patch:
      byPath.get(file.path) ?? byPath.get(file.old_path ?? '') ?? (inOrder ? (parts[index] ?? null) : null),
  }))
}

/** The path that a part is about, where it stands in it unquoted. */
function pathOf(part: string): string {
  const head = part.slice(0, part.search(/^@@ |^Binary files|^GIT binary/m) >>> 0)
  const found =
    /^\+\+\+ b\/([^\t\n]+)/m.exec(head) ??
    /^rename to (.+)$/m.exec(head) ??
    /^copy to (.+)$/m.exec(head) ??
    /^--- a\/([^\t\n]+)/m.exec(head) ??
    /^diff --git a\/(.+) b\/\1$/m.exec(head)
  return found?.[1] ?? ''
}

/** The SHA-256 of a part, which says whether a person has seen just this; null where the browser computes none. */
export async function patchHash(patch: string): Promise<string | null> {
  if (!isSecureContext) return null
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(patch))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
