/** True for JSON with more than so many objects and lists inside of each other. Asked without recursion, of any depth. */
export function isDeeper(json: unknown, depth: number): boolean {
  let level = isNest(json) ? [json] : []
  for (let left = depth; level.length > 0; left--) {
    if (left === 0) return true
    level = level.flatMap((value) => Object.values(value).filter(isNest))
  }
  return false
}

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null
