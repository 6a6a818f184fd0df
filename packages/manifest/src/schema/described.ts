import { isMapping, valueAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import type { Section } from './descriptions.ts'

/** A schema with the descriptions of its keys, which editors show beside them. */
export function described(schema: Mapping, sections: readonly Section[]): Mapping {
  return sections.reduce<Mapping>((whole, section) => {
    const properties = propertiesOf(whole, section)
    const withText = Object.entries(properties).map(([key, value]): [string, unknown] => {
      const description = section.keys[key]
      return [key, isMapping(value) && description !== undefined ? { ...value, description } : value]
    })
    return replaced(whole, [...section.path, 'properties'], Object.fromEntries(withText))
  }, schema)
}

/** The schemas of a section's keys. */
export function propertiesOf(schema: Mapping, section: Section): Mapping {
  const found = valueAt(schema, [...section.path, 'properties'])
  return isMapping(found) ? found : {}
}

function replaced(schema: Mapping, [first, ...rest]: readonly string[], value: Mapping): Mapping {
  if (first === undefined) return value
  const inside = schema[first]
  return { ...schema, [first]: replaced(isMapping(inside) ? inside : {}, rest, value) }
}
