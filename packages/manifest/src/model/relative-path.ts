/** A path inside the repository: it neither starts at the root nor climbs out. */
export const relativePathPattern = /^(?!\/)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|$))/

export function isRelativePath(path: string): boolean {
  return path !== '' && relativePathPattern.test(path)
}
