import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ChannelFileRow, ChannelFileTable } from './channels.table.ts'

/** A file without its content. */
export type ChannelFile = Omit<ChannelFileRow, 'content'>

const facts = [
  ...(['file_id', 'channel_id', 'account_id', 'project_id', 'delivery_id', 'message_id'] as const),
  ...(['position', 'name', 'type', 'bytes', 'sha256', 'left_out', 'session_id', 'prompt_key'] as const),
  ...(['upload', 'created_at'] as const),
] as const

export type NewFile = Insertable<ChannelFileTable>

/** Keeps a file; one that is there under its place stays as it is. */
export async function insert(db: Db, file: NewFile): Promise<void> {
  await db
    .insertInto('channel_files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Those that came with a message, in their order. */
export async function ofDelivery(db: Db, delivery_id: string): Promise<ChannelFile[]> {
  return (await ofDeliveries(db, [delivery_id])).get(delivery_id) ?? []
}

export async function ofDeliveries(
  db: Db,
  delivery_ids: readonly string[],
): Promise<Map<string, ChannelFile[]>> {
  if (delivery_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_files')
    .select(facts)
    .where('delivery_id', 'in', delivery_ids)
    .orderBy('position')
    .execute()
  return grouped(rows, ({ delivery_id }) => delivery_id)
}

export async function ofMessages(
  db: Db,
  message_ids: readonly string[],
): Promise<Map<string, ChannelFile[]>> {
  if (message_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_files')
    .select(facts)
    .where('message_id', 'in', message_ids)
    .orderBy('position')
    .execute()
  return grouped(rows, ({ message_id }) => message_id)
}

function grouped(
  rows: readonly ChannelFile[],
  keyOf: (row: ChannelFile) => string | null,
): Map<string, ChannelFile[]> {
  const groups = new Map<string, ChannelFile[]>()
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}

/** A prompt by its key in its session, which is known before the prompt is written. */
export interface PromptOfFiles {
  readonly session_id: string
  readonly prompt_key: string
}

/** The files of a message are put into the sandbox before this prompt, and those of no other message are. */
export async function giveTo(
  db: Db,
  delivery_id: string,
  { session_id, prompt_key }: PromptOfFiles,
): Promise<void> {
  const its = sql<boolean>`delivery_id = ${delivery_id}`
  await db
    .updateTable('channel_files')
    .set({
      session_id: sql`case when ${its} then ${session_id}::uuid end`,
      prompt_key: sql`case when ${its} then ${prompt_key} end`,
    })
    .where((where) =>
      where.or([
        its,
        where.and([where('session_id', '=', session_id), where('prompt_key', '=', prompt_key)]),
      ]),
    )
    .execute()
}

export type FileOfPrompt = Pick<ChannelFileRow, 'file_id' | 'delivery_id' | 'name'> & {
  readonly sha256: Buffer
}

/** Files that are to be in the sandbox before a prompt is. */
export async function ofPrompt(db: Db, { session_id, prompt_key }: PromptOfFiles): Promise<FileOfPrompt[]> {
  const rows = await db
    .selectFrom('channel_files')
    .select(['file_id', 'delivery_id', 'name', 'sha256'])
    .where('session_id', '=', session_id)
    .where('prompt_key', '=', prompt_key)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ sha256, ...file }) => (sha256 === null ? [] : [{ ...file, sha256 }]))
}

/** Null once it is no longer kept. */
export async function contentOf(db: Db, file_id: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('channel_files')
    .select('content')
    .where('file_id', '=', file_id)
    .executeTakeFirst()
  return row?.content ?? null
}

export type OutgoingFileRow = Pick<ChannelFileRow, 'file_id' | 'name' | 'type' | 'content' | 'upload'>

/** The file that a message is. */
export async function ofMessage(db: Db, message_id: string): Promise<OutgoingFileRow | undefined> {
  return db
    .selectFrom('channel_files')
    .select(['file_id', 'name', 'type', 'content', 'upload'])
    .where('message_id', '=', message_id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** Notes the platform's name of a file that it has; null where it has it no longer. */
export async function noteUpload(db: Db, file_id: string, upload: string | null): Promise<void> {
  await db.updateTable('channel_files').set({ upload }).where('file_id', '=', file_id).execute()
}

/** Removes the contents of old ones, and of older ones everything. How many rows were touched. */
export async function forget(
  db: Db,
  { content_before, all_before }: { readonly content_before: Date; readonly all_before: Date },
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from channel_files where file_id in (
        select file_id from channel_files where created_at < ${all_before} order by created_at limit ${limit})
      returning 1
    ), emptied as (
      update channel_files set content = null where file_id in (
        select file_id from channel_files where content is not null and created_at < ${content_before}
          and created_at >= ${all_before} order by created_at limit ${limit})
      returning 1
    )
    select 1 from gone union all select 1 from emptied`.execute(db)
  return rows.length
}
