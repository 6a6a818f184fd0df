import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'

/** Of a statement that a library wrote. */
export const preparedMark = '/* prepared */'
/** Length of the part that is searched for the mark: it stands behind a template's white space, or the first word. */
const beginning = 40

/**
 * At the beginning of a statement, or `modifyFront` of a query: each connection parses and plans it once. For statements
 * that run hundreds of times a second and name their columns: a plan of `*` fails once a migration adds a column.
 */
export const prepared = sql.raw(preparedMark)

/** A connection that names the statements that ask for it. */
export class NamingClient extends pg.Client {
  override query(text: unknown, values?: unknown, ...rest: unknown[]) {
    return typeof text === 'string' && text.slice(0, beginning).includes(preparedMark)
      ? Reflect.apply(super.query, this, [{ name: nameOf(text), text, values }, ...rest])
      : Reflect.apply(super.query, this, [text, values, ...rest])
  }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha1').update(text).digest('hex')
  names.set(text, name)
  return name
}
