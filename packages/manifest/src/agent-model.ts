import { isMapping } from './raw.ts'
import { readFrontmatter } from './source/frontmatter.ts'

/** The model that an agent's own file names; null when it names none or cannot be read. */
export function agentModel(text: string): string | null {
  const { data } = readFrontmatter(text)
  const model = isMapping(data) ? data['model'] : undefined
  return typeof model === 'string' && model.trim() !== '' ? model.trim() : null
}
