import { createHash } from 'node:crypto'
import { upstreamLimits } from '../../wire/limits.ts'

/**
 * Names of actions for the words of a service: letters, digits, `_` and `-`, each once. A long one is cut and ends in its
 * hash, a second one of a name in `_2`, so that the order of a document decides and nothing else.
 */
export function actionNames(reserved: readonly string[] = []) {
  const taken = new Set(reserved)
  return (words: string): string => {
    const plain = words.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
    const name = cut(plain === '' ? 'action' : plain)
    let unique = name
    for (let n = 2; taken.has(unique); n++) unique = cut(`${name}_${n}`)
    taken.add(unique)
    return unique
  }
}

function cut(name: string): string {
  const limit = upstreamLimits.action_characters
  if (name.length <= limit) return name
  return `${name.slice(0, limit - 7)}_${createHash('sha256').update(name).digest('hex').slice(0, 6)}`
}
