import { type RawBuilder, sql } from 'kysely'

/** The columns of a record and, in the same order, its values: `insert into t (columns) values (values)`. */
export function columnsOf(record: object): RawBuilder<unknown> {
  return sql.join(Object.keys(record).map((column) => sql.ref(column)))
}

export function valuesOf(record: object): RawBuilder<unknown> {
  return sql.join(Object.values(record))
}
