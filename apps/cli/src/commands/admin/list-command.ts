import type { Listing } from '@svc/sdk/admin'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type JsonFlag, jsonFlag, pageSize } from '../flags.ts'

export interface ListFlags extends JsonFlag {
  readonly limit: number
}

type Column = Parameters<Cli['out']['table']>[0][number]

export interface ShownList<T> {
  readonly columns: readonly Column[]
  readonly cells: (item: T) => (string | null)[]
  /** The words for an empty list. */
  readonly none: string
}

/** `--limit`, and `--json`. */
export function listFlags(command: Command): Command {
  return jsonFlag(command).option('--limit <count>', 'how many', pageSize, 50)
}

/** The first page as a table, or as JSON. */
export async function showPage<T>(
  cli: Cli,
  flags: JsonFlag,
  list: Listing<T> | Promise<readonly T[]>,
  shown: ShownList<T>,
): Promise<void> {
  const answer = await list
  const items = 'items' in answer ? answer.items : answer
  if (flags.json) return cli.out.json(items)
  if (items.length === 0) return cli.out.note(shown.none)
  cli.out.table(
    [...shown.columns],
    items.map((item) => shown.cells(item).map((cell) => cell ?? '-')),
  )
}
