import { isObject } from '../catalogue/words.ts'

/** Names and values that are not switched off. */
export function pairsOf(list: unknown): { name: string; value: string }[] {
  return (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    if (!isObject(each) || each['disabled'] === true || typeof each['key'] !== 'string') return []
    const { key, value } = each
    return key === ''
      ? []
      : [{ name: key, value: value === null || value === undefined ? '' : String(value) }]
  })
}
