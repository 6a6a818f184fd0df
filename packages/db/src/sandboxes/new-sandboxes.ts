import { promptMachine } from '@svc/session'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { hasGateway } from '../gateway/has-gateway.ts'
import { literals } from '../kit/literals.ts'
import { prepared } from '../kit/prepared.ts'
import { columnsOf, valuesOf } from '../kit/record.ts'
import type { SandboxPatch } from './sandboxes.table.ts'
import type { SecretAccessRow } from '../secrets/secrets.table.ts'
import type { SessionPromptRow } from '../sessions/session-prompts.table.ts'
import type { TokenTable } from '../sign-in/tokens.table.ts'

export interface SealedSecret {
  readonly name: string
  readonly sealed_value: string
}

/** Values from the database that a new sandbox is given. */
export interface SandboxMaterial {
  /** Secrets of the project, by name. */
  readonly secrets: readonly SealedSecret[]
  /** Personal secrets of `personal_of`, by name. */
  readonly personal_secrets: readonly SealedSecret[]
  readonly initial_prompt: Pick<SessionPromptRow, 'prompt_id' | 'text'> | null
  /** True when the agent has said or done anything yet. */
  readonly has_conversation: boolean
  /** True when the project was opted into the model gateway and the plan of its account holds it. */
  readonly has_gateway: boolean
  /** Key that an unfinished creation has left. */
  readonly sealed_service_key: string | null
}

export interface MaterialKey {
  readonly session_id: string
  readonly project_id: string
  /** The person whose personal secrets are read; null to read none. */
  readonly personal_of: string | null
}

/** Reads everything in one statement, as of one instant. */
export async function read(tx: Db, key: MaterialKey): Promise<SandboxMaterial> {
  const { session_id, project_id, personal_of } = key
  const secret = sql`json_build_object('name', name, 'sealed_value', sealed_value)`
  const { rows } = await sql<SandboxMaterial>`${prepared}
    select
      (select coalesce(json_agg(${secret} order by name), '[]') from project_secrets
        where project_id = ${project_id}) as secrets,
      (select coalesce(json_agg(${secret} order by name), '[]') from personal_secrets
        where project_id = ${project_id} and user_id = ${personal_of}) as personal_secrets,
      (select json_build_object('prompt_id', prompt_id, 'text', text) from session_prompts
        where session_id = ${session_id} and source in ('initial', 'trigger')
        order by position limit 1) as initial_prompt,
      exists (select from session_events
        where session_id = ${session_id} and type in ('message', 'tool'))
        or exists (select from event_archives
          where session_id = ${session_id} and has_conversation) as has_conversation,
      ${hasGateway(project_id)} as has_gateway,
      (select sealed_service_key from session_sandboxes
        where session_id = ${session_id}) as sealed_service_key`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('One row of subqueries is always there')
  return row
}

/** Rows to write before a sandbox is made; each record names the same columns in the same order at every call. */
export interface NewSandboxRows {
  readonly session_id: string
  /** The sandbox's own key; null when a creation before has left one. */
  readonly service_key: Required<
    Pick<SandboxPatch, 'service_key_hash' | 'sealed_service_key' | 'updated_at'>
  > | null
  readonly tokens: readonly Insertable<TokenTable>[]
  /** Record of the secrets that it is given; null for none. */
  readonly access: SecretAccessRow | null
  /** The prompt that it is born with; null for none. */
  readonly prompt: Pick<SessionPromptRow, 'prompt_id' | 'updated_at'> | null
}

/**
 * Writes everything in one statement. `has_prompt`: the sandbox has the prompt from now on; false for one that was
 * withdrawn. A creation that is tried again gives it again.
 */
export async function write(tx: Db, rows: NewSandboxRows): Promise<{ readonly has_prompt: boolean }> {
  const { session_id, service_key, tokens, access, prompt } = rows
  const [token] = tokens
  const { rows: written } = await sql<{ has_prompt: boolean }>`${prepared}
    with sandbox as (${
      service_key === null
        ? sql`select`
        : sql`
      update session_sandboxes set service_key_hash = ${service_key.service_key_hash},
        sealed_service_key = ${service_key.sealed_service_key}, updated_at = ${service_key.updated_at}
      where session_id = ${session_id}`
    })${
      access === null
        ? sql``
        : sql`, access as (
      insert into secret_accesses (${columnsOf(access)}) values (${valuesOf(access)})
    )`
    }${
      prompt === null
        ? sql``
        : sql`, prompt as (
      update session_prompts set state = ${promptMachine.to('deliver')}, updated_at = ${prompt.updated_at}
      where session_id = ${session_id} and prompt_id = ${prompt.prompt_id} and state in ${literals(promptMachine.from('deliver'))}
      returning prompt_id
    )`
    }${
      token === undefined
        ? sql``
        : sql`, minted as (
      insert into tokens (${columnsOf(token)}) values ${sql.join(tokens.map((row) => sql`(${valuesOf(row)})`))}
    )`
    }
    select ${prompt === null ? sql`false` : sql`exists (select from prompt)`} as has_prompt`.execute(tx)
  return { has_prompt: written[0]?.has_prompt === true }
}
