import type { CompiledQuery } from 'kysely'
import type { Db } from '../database.ts'

/**
 * A query whose text is always the same, built and compiled once: for what runs hundreds of times a second. The
 * parameters of the statement are the ones given, each once and in this order.
 */
export function fixedQuery<Parameters extends readonly unknown[], Row>(
  build: (db: Db, ...parameters: Parameters) => { compile(): CompiledQuery<Row> },
): (db: Db, ...parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, ...parameters) => {
    compiled ??= inOrder(build(db, ...parameters).compile(), parameters)
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function inOrder<Row>(query: CompiledQuery<Row>, given: readonly unknown[]): CompiledQuery<Row> {
  const same =
    query.parameters.length === given.length && given.every((one, n) => one === query.parameters[n])
  if (!same) throw new TypeError('A fixed query takes its parameters each once, and in their order')
  return query
}

/**
 * The same for a query that is put together of parts, each with parameters of its own: it is built over placeholders, and
 * each run gives the value of each. A placeholder is one parameter, however many parts ask for it.
 */
export function filledQuery<Row>(
  build: (db: Db) => CompiledQuery<Row>,
): (db: Db, values: ReadonlyMap<unknown, unknown>) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= eachOnce(build(db), values)
    const parameters = compiled.parameters.map((one) => (values.has(one) ? values.get(one) : one))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function eachOnce<Row>(query: CompiledQuery<Row>, values: ReadonlyMap<unknown, unknown>): CompiledQuery<Row> {
  const parameters: unknown[] = []
  const places = query.parameters.map((one) => {
    // What was made of a placeholder would have its value of the first run for good.
    if (typeof one === 'object' && one !== null && !values.has(one))
      throw new TypeError('A parameter of a filled query is a placeholder, or a constant')
    const known = values.has(one) ? parameters.indexOf(one) : -1
    return known === -1 ? parameters.push(one) : known + 1
  })
  const text = query.sql.replaceAll(/\$(\d+)/g, (_, n: string) => `$${places[Number(n) - 1]}`)
  return { ...query, sql: text, parameters }
}
