const fileStart = Buffer.from('\ndiff --git ')

/** The whole files at the beginning of a patch that fit. Content lines never begin with `diff`, so the cut is safe. */
export function cutPatch(patch: Buffer, max_bytes: number): Buffer {
  if (patch.length <= max_bytes) return patch
  const boundary = max_bytes < 1 ? -1 : patch.lastIndexOf(fileStart, max_bytes - 1)
  return boundary === -1 ? patch.subarray(0, 0) : patch.subarray(0, boundary + 1)
}

/** The part of a patch that each file has; a change of type has two. */
export function patchSections(patch: string): string[] {
  return patch === '' ? [] : patch.split(/^(?=diff --git )/m)
}

export const isCopySection = (section: string): boolean => /^copy from /m.test(section.split(/^@@/m)[0] ?? '')

/**
 * The position at which the patch begins after the list of files of the same run; null when the output ends before
 * it.
 */
export function patchStart(output: Buffer): number | null {
  const gap = output.indexOf('\n\ndiff --git ')
  return gap === -1 ? null : gap + 2
}
