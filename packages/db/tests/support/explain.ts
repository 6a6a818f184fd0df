import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import type { Db } from '../../src/index.ts'

export interface Plan {
  readonly sql: string
  /** Tables that are read from end to end. */
  readonly sequential: readonly string[]
  /** Buffers that the statement read or wrote. */
  readonly buffers: number
}

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Node[]
}

/** Runs the queries of `work` and explains each as it was really run. Nothing that they write stays. */
export async function explain(db: Db, work: (db: Db) => Promise<unknown>): Promise<readonly Plan[]> {
  const nodes: RootOperationNode[] = []
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const plans: Plan[] = []
  const undone = new Error('Nothing of it stays')
  const begun = db.transaction().execute(async (tx) => {
    await sql`savepoint before`.execute(tx)
    await work(tx.withPlugin(watch))
    await sql`rollback to savepoint before`.execute(tx)
    for (const node of nodes) plans.push(await explainOne(tx, node))
    throw undone
  })
  await begun.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return plans
}

async function explainOne(tx: Db, node: RootOperationNode): Promise<Plan> {
  const { sql: text, parameters } = tx.getExecutor().compileQuery(node, { queryId: 'explained' })
  const query = CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [...parameters])
  const { rows } = await tx.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(query)
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (root === undefined) throw new Error(`There is no plan of ${text}`)
  const all = flat(root)
  return {
    sql: text,
    sequential: all.flatMap((one) =>
      one['Node Type'] === 'Seq Scan' ? [one['Relation Name'] ?? 'a table'] : [],
    ),
    buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
  }
}

const flat = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
