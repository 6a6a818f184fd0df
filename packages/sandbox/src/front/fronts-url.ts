import { pathToFileURL } from 'node:url'

/** A folder in which each visitor's side opens a socket of its own, for the sandbox to hold connections ready at. */
export const frontsScheme = 'fronts:'

export function frontsUrl(folder: string): string {
  return pathToFileURL(folder).href.replace(/^file:/, frontsScheme)
}
