import { textOf } from '../body.ts'
import { isObject } from '../catalogue/words.ts'
import type { BoundParameter } from './binding.ts'

/** A parameter of the path or a header, as its style writes it. `encode` is for the place that it stands in. */
export function simpleText(
  { style, explode, name }: BoundParameter,
  value: unknown,
  encode: (text: string) => string,
): string {
  const one = (each: unknown) => encode(textOf(each))
  if (style === 'json') return encode(JSON.stringify(value))
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : ''
  const between = style === 'label' && explode ? '.' : style === 'matrix' && explode ? `;${name}=` : ','
  if (Array.isArray(value)) return prefix + value.map(one).join(between)
  if (!isObject(value)) return prefix + one(value)
  const pairs = Object.entries(value)
  if (!explode) return prefix + pairs.flatMap(([key, each]) => [encode(key), one(each)]).join(',')
  const written = pairs.map(([key, each]) => `${encode(key)}=${one(each)}`)
  if (style === 'matrix') return written.map((pair) => `;${pair}`).join('')
  return (style === 'label' ? '.' : '') + written.join(style === 'label' ? '.' : ',')
}

/** The pairs of a parameter of the query, encoded. */
export function queryPairs({ style, explode, name }: BoundParameter, value: unknown): string[] {
  const encode = (each: unknown) => encodeURIComponent(textOf(each))
  const pair = (key: string, written: string) => `${encodeURIComponent(key)}=${written}`
  if (style === 'json') return [pair(name, encodeURIComponent(JSON.stringify(value)))]
  if (Array.isArray(value)) {
    if (style === 'form' && explode) return value.map((each) => pair(name, encode(each)))
    const between = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
    return [pair(name, value.map(encode).join(between))]
  }
  if (!isObject(value)) return [pair(name, encode(value))]
  const pairs = Object.entries(value)
  if (style === 'deepObject')
    return pairs.flatMap(([key, each]) =>
      (Array.isArray(each) ? each : [each]).map((one) => pair(`${name}[${key}]`, encode(one))),
    )
  if (explode) return pairs.map(([key, each]) => pair(key, encode(each)))
  return [pair(name, pairs.flatMap(([key, each]) => [encodeURIComponent(key), encode(each)]).join(','))]
}
