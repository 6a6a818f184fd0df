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
