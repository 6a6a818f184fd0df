import { type RawBuilder, sql } from 'kysely'

/** These words as `('a', 'b')`, written out: a partial index is found by its literals, never by parameters. */
export function literals(words: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(words.map((word) => sql.lit(word)))})`
}
