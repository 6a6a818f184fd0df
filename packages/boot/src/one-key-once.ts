import type { Logger } from 'pino'

type Fields = Readonly<Record<string, unknown>>

/** Keys that the logger itself writes in every line. */
const own = new Set(['level', 'time', 'name', 'msg'])

/**
 * The fields that a line may hold beside what its logger carries: a key stands in a line once, or parsers keep either
 * one. The same value again is left out; another one is written as `other_<key>`.
 */
export function besideBound(bound: Fields, fields: Fields): Fields {
  const keys = Object.keys(fields)
  if (!keys.some((key) => own.has(key) || Object.hasOwn(bound, key))) return fields
  return Object.fromEntries(
    keys.flatMap((key) => {
      if (!own.has(key) && !Object.hasOwn(bound, key)) return [[key, fields[key]]]
      return bound[key] === fields[key] ? [] : [[freeKey(bound, `other_${key}`), fields[key]]]
    }),
  )
}

function freeKey(bound: Fields, key: string): string {
  return Object.hasOwn(bound, key) ? freeKey(bound, `other_${key}`) : key
}

const bounds = new WeakMap<object, Fields>()

/** The fields that a logger carries, which stay as they were when it was made. */
export function boundOf(logger: Logger): Fields {
  const known = bounds.get(logger) ?? logger.bindings()
  bounds.set(logger, known)
  return known
}

/** Holds every child of this logger to one key once as well: it does not carry again what its parent does. */
export function withOneKeyOnce(logger: Logger): Logger {
  const { child } = logger
  function once(this: Logger, bindings: Fields, ...rest: unknown[]): unknown {
    return Reflect.apply(child, this, [besideBound(boundOf(this), bindings), ...rest])
  }
  return Object.assign(logger, { child: once }) as Logger
}
