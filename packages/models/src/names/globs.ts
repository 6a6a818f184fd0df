import { type ModelName, modelText } from './model-name.ts'

/** A list of one place; null lets every model through. */
export interface Allowlist<By extends string = string> {
  readonly by: By
  readonly models: readonly string[] | null
}

/** The first list that keeps the model out; null where all let it through. */
export function keptOutBy<By extends string>(lists: readonly Allowlist<By>[], model: ModelName): By | null {
  return lists.find(({ models }) => models !== null && !isListed(models, model))?.by ?? null
}

/** A glob names the model with its provider; the platform's own ones by their bare id as well. */
function isListed(globs: readonly string[], model: ModelName): boolean {
  const names = [modelText(model), `${model.provider}/${model.id}`]
  return globs.some((glob) => names.some((name) => matchesGlob(glob, name)))
}

/** `*` stands for any characters, slashes included. Takes time in proportion to the two lengths. */
export function matchesGlob(glob: string, name: string): boolean {
  const [first = '', ...rest] = glob.split('*')
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name.length === first.length
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
