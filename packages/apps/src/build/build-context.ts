import dockerignore from '@balena/dockerignore'
import { isPrivate } from './is-private.ts'

/** Of a context, the file that says what else is no part of it. */
export const ignoreFile = '.dockerignore'

/**
 * The paths of a context that a builder is given: what is private stays here, and what the context ignores. Its Dockerfile
 * and its list always go, as the builder needs them, and itself leaves them out of copies where they are ignored.
 */
export function sentPaths(paths: readonly string[], dockerfile: string, ignored: string | null): string[] {
  const list = dockerignore.default()
  if (ignored !== null) list.add(ignored)
  return paths.filter(
    (path) => !isPrivate(path) && (path === dockerfile || path === ignoreFile || !list.ignores(path)),
  )
}
